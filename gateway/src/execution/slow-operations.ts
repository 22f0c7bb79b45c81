import { createHash } from 'node:crypto';

import type { Log } from '@foyer/shared/telemetry/log';
import { OperationTypeNode, print, type DocumentNode, type GraphQLError } from 'graphql';

import type { Config } from '../config.ts';
import type { Operation } from './execute.ts';
import { shortName } from '@foyer/shared/graphql/metrics';
import type { OperationContext } from '@foyer/shared/graphql/operation-context';
import type { State } from '../supergraph/state.ts';

/** Logs an operation that took too long, once it is over. */
export type LogSlow = (
  state: State,
  operation: Operation,
  context: OperationContext,
  errors: readonly GraphQLError[] | undefined,
) => void;

/**
 * Logs one line for each slow operation or subscription event: the hash of the document (its literals and the variables
 * are personal), where the time went, and the kind of viewer.
 */
export function slowOperations(log: Log, { slowMs }: Pick<Config, 'slowMs'>): LogSlow {
  return ({ supergraph }, { document, operationName, variables = {} }, { scope, startedAt, fetches }, errors) => {
    const ms = performance.now() - startedAt;
    if (slowMs === 0 || ms < slowMs) return;
    const { operation, cost } = supergraph.plan(document, operationName);
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
