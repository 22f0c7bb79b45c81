import { networkOf } from '@foyer/shared/http/address';
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

/** What is wrong with a request, before anything of it was run. */
export class NotAdmitted extends Error {
  override readonly name = 'NotAdmitted';
  readonly errors: readonly GraphQLError[];

  constructor(errors: readonly GraphQLError[]) {
    super(errors[0]?.message);
    this.errors = errors;
  }
}

/** The one gate for what clients ask, over HTTP, server-sent events and WebSocket alike. */
export interface Admission {
  /** @throws {Refusal} `TOO_MANY_REQUESTS`, with the seconds to wait as `retryAfter` */
  countRequest(context: { scope: Pick<RequestScope, 'viewer' | 'client'> }): Promise<void>;
  /** @throws {NotAdmitted} or a GraphQLError: the document can't be had, is not valid, or asks for too much */
  admit(asked: GraphQLParams, supergraph: Supergraph): Admitted;
}

interface Needs {
  config: Config;
  clock: Clock;
  log: Log;
  /** Where all gateways count together. */
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
    admit(asked, supergraph) {
      const document = read(supergraph.publicSchema, texts.find(asked));
      if (!('kind' in document)) throw new NotAdmitted(document);
      texts.store(asked);
      const { operationName, variables } = asked;
      const planned = supergraph.plan(document, operationName);
      const cost = mostCost > 0 ? planned.cost(variables ?? {}) : 0;
      if (cost > mostCost) throw tooCostly(cost, mostCost);
      return { document, planned, operationName, variables };
    },
  };
}

/**
 * By what somebody is counted: who they are, in whatever session or organization, and not what they send along,
 * since anyone can make up headers. Whom we have not verified is known by the address alone.
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

async function takeFrom(rate: Rate, who: string): Promise<void> {
  const retryAfter = await rate.take(who);
  if (retryAfter > 0)
    throw new Refusal('RATE_LIMITED', 'TOO_MANY_REQUESTS', 'Too many requests: wait a little.', { retryAfter });
}

const tooCostly = (cost: number, most: number) =>
  new Refusal('BAD_USER_INPUT', 'MAX_COST', `An operation may cost at most ${most}; this one costs ${cost}.`, {
    cost,
  });
