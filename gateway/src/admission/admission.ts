import { networkOf } from '@foyer/shared/http/addresses/address';
import type { Clock } from '@foyer/shared/clock';
import { Refusal } from '@foyer/shared/errors';
import type { Log } from '@foyer/shared/telemetry/log';
import { openRate, type Rate } from '@foyer/shared/http/rates';
import type { SharedRedis } from '@foyer/shared/events/redis';
import type { RequestScope } from '@foyer/shared/http/request';
import { GraphQLError, type DocumentNode } from 'graphql';

import type { GraphQLParams } from './params.ts';
import type { Config } from '../config.ts';
import { documentReader } from './documents.ts';
import type { Planned, Supergraph } from '../supergraph/supergraph.ts';
import { documentTexts } from './trusted-documents.ts';

/** An operation that may be run. */
export interface Admitted {
  document: DocumentNode;
  planned: Planned;
  operationName: string | undefined;
  variables: Record<string, unknown> | undefined;
}

/** Refuses a request before any part of it has run. */
export class NotAdmitted extends Error {
  override readonly name = 'NotAdmitted';
  readonly errors: readonly GraphQLError[];

  constructor(errors: readonly GraphQLError[]) {
    super(errors[0]?.message);
    this.errors = errors;
  }
}

/** Admits requests that come over HTTP, server-sent events and WebSocket, all by the same rules. */
export interface Admission {
  /** @throws {Refusal} `TOO_MANY_REQUESTS`, with the seconds to wait as `retryAfter` */
  countRequest(context: { scope: Pick<RequestScope, 'viewer' | 'client'> }): Promise<void>;
  /** @throws {NotAdmitted} or a GraphQLError: the document can't be found, is not valid, or requests too much */
  admit(params: GraphQLParams, supergraph: Supergraph): Admitted;
}

interface Needs {
  config: Config;
  clock: Clock;
  log: Log;
  /** Counts requests across all gateways. */
  redis?: SharedRedis | undefined;
}

export function admission({ config, ...needs }: Needs): Admission {
  const texts = documentTexts(config);
  const read = documentReader(config);
  const perViewer = openRate({ ...needs, name: 'viewer', perMinute: config.rates.perViewer });
  const perAddress = openRate({ ...needs, name: 'address', perMinute: config.rates.perAddress });
  const { cost: mostCost } = config.limits;

  return {
    async countRequest({ scope }) {
      await takeFrom(perAddress, networkOf(scope.client.address));
      if (scope.viewer) await takeFrom(perViewer, countedAs(scope));
    },
    admit(params, supergraph) {
      const document = read(supergraph.publicSchema, texts.find(params));
      if (!('kind' in document)) throw new NotAdmitted(document);
      texts.store(params);
      const { operationName, variables } = params;
      const planned = supergraph.plan(document, operationName);
      const cost = mostCost > 0 ? planned.cost(variables ?? {}) : 0;
      if (cost > mostCost) throw tooCostly(cost, mostCost);
      return { document, planned, operationName, variables };
    },
  };
}

/**
 * The key by which a viewer's requests are counted: the same in every session and organization, and without regard to
 * headers, which anyone can make up. Requests without a verified viewer are counted by the client's network.
 */
export function countedAs({ viewer, client }: Pick<RequestScope, 'viewer' | 'client'>): string {
  switch (viewer?.kind) {
    case 'staff':
      return `staff ${viewer.userId}`;
    case 'legacy-user':
      return `legacy-user ${viewer.subject}`;
    case 'customer':
      return `customer ${viewer.custId}`;
    case 'service':
      return 'service';
    default:
      return networkOf(client.address);
  }
}

async function takeFrom(rate: Rate, key: string): Promise<void> {
  const retryAfter = await rate.take(key);
  if (retryAfter > 0)
    throw new Refusal('RATE_LIMITED', 'TOO_MANY_REQUESTS', 'Too many requests: wait a little.', { retryAfter });
}

const tooCostly = (cost: number, most: number) =>
  new Refusal('BAD_USER_INPUT', 'MAX_COST', `An operation may cost at most ${most}; this one costs ${cost}.`, {
    cost,
  });
