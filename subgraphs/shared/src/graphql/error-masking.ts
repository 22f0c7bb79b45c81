import { databaseBusy } from '../database-errors.ts';
import { httpStatusOf, Refusal } from '../errors.ts';
import type { Log } from '../telemetry/log.ts';
import { GraphQLError } from 'graphql';

import { countError } from './metrics.ts';

/** Codes of GraphQL and its protocols for errors that a client caused; clients see them. */
const protocolCodes = new Set([
  'BAD_REQUEST',
  'BAD_USER_INPUT',
  'DOCUMENT_NOT_TRUSTED',
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'OPERATION_RESOLUTION_FAILURE',
  'PERSISTED_QUERY_NOT_FOUND',
  'PERSISTED_QUERY_NOT_SUPPORTED',
  'SUBSCRIPTION_SCHEMA_RELOAD',
]);

/** Stands for a bug that is already logged under the request id; it holds nothing of the bug. */
class Masked extends GraphQLError {
  constructor(path: GraphQLError['path'], fact: { outcome?: 'DONE' } = {}) {
    const extensions = { ...fact, code: 'INTERNAL_SERVER_ERROR' };
    super('Something went wrong on our side.', { path: path ?? null, extensions });
  }
}

/** An error of a subgraph that is shown as it came (`SUBGRAPH_ERRORS=shown`). */
class Shown extends GraphQLError {}

/** An error that is to be shown as it leaves a subgraph, unless it is masked already. */
export const shownAtSource = (error: GraphQLError): GraphQLError =>
  error instanceof Masked
    ? error
    : new Shown(error.message, { path: error.path ?? null, extensions: error.extensions });

interface Where {
  requestId: string;
  log: Log;
  /** The subgraph that failed, when it is known. */
  subgraph?: string;
}

/** A foreign subgraph may give `INTERNAL_SERVER_ERROR` a reason, too: that is a bug, and no refusal. */
const isRefusal = ({ extensions: { code, reason } }: GraphQLError) =>
  typeof reason === 'string' && code !== 'INTERNAL_SERVER_ERROR' && Object.hasOwn(httpStatusOf, String(code));

/**
 * An error as it may leave a subgraph: refusals keep their extensions, without stacks; any other error is masked, and
 * logged here, where its stack still shows where it happened.
 */
export function maskedAtSource(error: GraphQLError, { requestId, log, subgraph }: Where): GraphQLError {
  const { message, path } = error;
  if (error instanceof Masked) return error;
  if (error.originalError instanceof Refusal || isRefusal(error)) {
    const { stacktrace: _stack, exception: _thrown, ...extensions } = error.extensions;
    return new GraphQLError(message, { path: path ?? null, extensions });
  }
  log.error({ err: error.originalError ?? error, path, requestId, subgraph }, 'a subgraph failed');
  return busyError(error) ?? new Masked(path);
}

/**
 * An error of a part of the answer to a change that was made: `outcome: DONE` says so, for clients who would otherwise
 * repeat the change.
 *
 * @param error masked at its source
 */
export function afterChange(error: GraphQLError): GraphQLError {
  if (error instanceof Shown) return error;
  const fact = { outcome: 'DONE' } as const;
  const { message, path, extensions } = error;
  if (error instanceof Masked) return new Masked(path, fact);
  return new GraphQLError(message, { path: path ?? null, extensions: { ...extensions, ...fact } });
}

/** The refusal of a database that is busy or away, at the path of the error. */
function busyError({ originalError, path }: GraphQLError): GraphQLError | undefined {
  const busy = databaseBusy(originalError);
  return busy && new GraphQLError(busy.message, { path: path ?? null, extensions: busy.extensions });
}

/** An error as clients get it: refusals as they are, the rest masked, each with the request id. */
export function publicError(error: GraphQLError, { requestId, log }: Where): GraphQLError {
  const shown = shownError(error, { requestId, log });
  const { serviceName: _ours, http: _protocol, ...extensions } = shown.extensions;
  countError(String(extensions['code']));
  return new GraphQLError(shown.message, {
    nodes: shown.nodes ?? null,
    source: shown.source ?? null,
    positions: shown.positions ?? null,
    path: shown.path ?? null,
    extensions: { ...extensions, requestId },
  });
}

function shownError(error: GraphQLError, { requestId, log }: Where): GraphQLError {
  if (isRefusal(error) || protocolCodes.has(String(error.extensions['code']))) return error;
  if (error instanceof Shown || error.originalError instanceof Shown) return error;
  if (error instanceof Masked || error.originalError instanceof Masked) return error;
  log.error({ err: error.originalError ?? error, path: error.path, requestId }, 'an operation failed');
  return busyError(error) ?? new Masked(error.path);
}

/** Converts any thrown value to the error that clients get. */
export const publicErrorOf = (thrown: unknown, where: Where): GraphQLError =>
  publicError(asGraphQLError(thrown), where);

const asGraphQLError = (thrown: unknown): GraphQLError =>
  thrown instanceof GraphQLError
    ? thrown
    : (databaseBusy(thrown) ??
      new GraphQLError('failed', { originalError: thrown instanceof Error ? thrown : new Error(String(thrown)) }));
