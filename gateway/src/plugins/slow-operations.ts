import { createHash } from 'node:crypto';

import type { ApolloServerPlugin } from '@apollo/server';
import { shortName } from '@foyer/shared/graphql/metrics';
import type { Log } from '@foyer/shared/telemetry/log';
import { OperationTypeNode, print, type DocumentNode, type GraphQLError } from 'graphql';

import type { Config } from '../config.ts';
import type { GatewayContext } from '../request/context.ts';
import type { State, States } from '../supergraph/state.ts';

interface Operation {
  document: DocumentNode;
  operationName?: string | undefined;
  variables?: Record<string, unknown> | undefined;
}

/** Logs an operation that took too long, once it is over. */
export type LogSlow = (
  state: State,
  operation: Operation,
  context: GatewayContext,
  errors: readonly GraphQLError[] | undefined,
) => void;

/** Logs the slow queries and mutations; the slow events of a subscription are logged where they are resolved. */
export const slowOperations = (states: States, logSlow: LogSlow): ApolloServerPlugin<GatewayContext> => ({
  requestDidStart: async () => ({
    async willSendResponse({ schema, request, document, contextValue, errors }) {
      const { executed, results } = contextValue.outcome;
      if (document && executed && !results) logSlow(states.of(schema), { ...request, document }, contextValue, errors);
    },
  }),
});

/**
 * Logs one line for each slow operation or subscription event: the hash of the document (its literals and the variables
 * are personal), where the time went, and the kind of viewer.
 */
export function slowLog(log: Log, { slowMs }: Pick<Config, 'slowMs'>): LogSlow {
  return ({ supergraph }, { document, operationName, variables = {} }, { scope, startedAt, fetches }, errors) => {
    const ms = performance.now() - startedAt;
    if (slowMs === 0 || ms < slowMs) return;
    const { operation, cost } = supergraph.read(document, operationName);
    // Failed logins are answered late on purpose, and anybody can send many of them.
    if (operation.operation === OperationTypeNode.MUTATION && errors?.some(isUnauthenticated)) return;
    log.warn(
      {
        requestId: scope.requestId,
        operation: shortName(operation.name?.value ?? 'anonymous'),
        type: operation.operation,
        document: hashOf(document),
        ms: Math.round(ms),
        fetches: fetches.map((fetch) => ({ ...fetch, ms: Math.round(fetch.ms) })),
        cost: cost(variables),
        viewer: scope.viewer?.kind ?? 'nobody',
      },
      'slow operation',
    );
  };
}

const isUnauthenticated = ({ extensions }: GraphQLError) => extensions['code'] === 'UNAUTHENTICATED';

/** The SHA-256 of its text: also its hash as a persisted query, by which it can be found. */
const hashOf = (document: DocumentNode): string =>
  createHash('sha256')
    .update(document.loc?.source.body ?? print(document))
    .digest('hex');
