import type { Clock } from '@foyer/shared/clock';
import { Refusal } from '@foyer/shared/errors';
import { GraphQLError, type DocumentNode } from 'graphql';

import type { Asked } from './asked.ts';
import type { Config } from './config.ts';
import { documentReader } from './documents.ts';
import type { OperationContext } from './operation-context.ts';
import { rate } from './rates.ts';
import type { Planned, Supergraph } from './supergraph.ts';
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
  /** @throws {Refusal} `TOO_MANY_REQUESTS` */
  countRequest(context: OperationContext): void;
  /** @throws {NotAdmitted} or a GraphQLError: the document can't be had, is not valid, or asks for too much */
  admit(asked: Asked, supergraph: Supergraph): Admitted;
}

export function admission({ config, clock }: { config: Config; clock: Clock }): Admission {
  const textOf = documentTexts(config);
  const read = documentReader(config);
  const perViewer = rate(config.rates.perViewer, clock);
  const perAddress = rate(config.rates.perAddress, clock);
  const { cost: mostCost } = config.limits;

  return {
    countRequest({ scope, rights }) {
      perAddress.take(scope.client.address);
      if (scope.viewer) perViewer.take(rights());
    },
    admit(asked, supergraph) {
      const document = read(supergraph.publicSchema, textOf(asked));
      if (!('kind' in document)) throw new NotAdmitted(document);
      const { operationName, variables } = asked;
      const planned = supergraph.plan(document, operationName);
      const cost = mostCost > 0 ? planned.cost(variables ?? {}) : 0;
      if (cost > mostCost) throw tooCostly(cost, mostCost);
      return { document, planned, operationName, variables };
    },
  };
}

const tooCostly = (cost: number, most: number) =>
  new Refusal('BAD_USER_INPUT', 'MAX_COST', `An operation may cost at most ${most}; this one costs ${cost}.`, {
    cost,
  });
