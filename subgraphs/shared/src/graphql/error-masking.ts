import { databaseBusy } from '../database-errors.ts';
import { httpStatusOf, Refusal } from '../errors.ts';
import type { Log } from '../telemetry/log.ts';
import { GraphQLError } from 'graphql';

import { countError } from './metrics.ts';

/** What GraphQL itself and its protocols refuse: the client's doing, and told to the client. */
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

/** A bug that is already in the log, under the request id; nothing of it is left in here. */
class Masked extends GraphQLError {
  constructor(path: GraphQLError['path']) {
    super('Something went wrong on our side.', { path: path ?? null, extensions: { code: 'INTERNAL_SERVER_ERROR' } });
  }
}

/** An error of a subgraph that is not ours, to be shown as it came (`SUBGRAPH_ERRORS=shown`). */
export class Shown extends GraphQLError {}

interface Where {
  requestId: string;
  log: Log;
  /** The subgraph that failed, when it is known. */
  subgraph?: string;
}

/** A subgraph that is not ours may say `INTERNAL_SERVER_ERROR` with a reason too: a bug is no refusal. */
const isRefusal = ({ extensions: { code, reason } }: GraphQLError) =>
  typeof reason === 'string' && code !== 'INTERNAL_SERVER_ERROR' && Object.hasOwn(httpStatusOf, String(code));

/**
 * What may leave a subgraph: refusals with their extensions, but no stacks, and nothing of anything else.
 * Whatever else it was is logged here, where its stack still says where it happened.
 */
export function maskedAtSource(error: GraphQLError, { requestId, log, subgraph }: Where): GraphQLError {
  const { message, path } = error;
  if (error.originalError instanceof Refusal || isRefusal(error)) {
    const { stacktrace: _stack, exception: _thrown, ...extensions } = error.extensions;
    return new GraphQLError(message, { path: path ?? null, extensions });
  }
  const busy = databaseBusy(error.originalError);
  log.error({ err: error.originalError ?? error, path, requestId, subgraph }, 'a subgraph failed');
  if (busy) return new GraphQLError(busy.message, { path: path ?? null, extensions: busy.extensions });
  return new Masked(path);
}

/** An error as clients get it: understood ones as they are, the rest masked, each with the request id. */
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
  if (error.originalError instanceof Shown) return error;
  if (error instanceof Masked || error.originalError instanceof Masked) return error;
  log.error({ err: error.originalError ?? error, path: error.path, requestId }, 'an operation failed');
  return new Masked(error.path);
}

/** Any thrown thing as the error that clients get. */
export const publicErrorOf = (thrown: unknown, where: Where): GraphQLError =>
  publicError(asGraphQLError(thrown), where);

const asGraphQLError = (thrown: unknown): GraphQLError =>
  thrown instanceof GraphQLError
    ? thrown
    : (databaseBusy(thrown) ??
      new GraphQLError('failed', { originalError: thrown instanceof Error ? thrown : new Error(String(thrown)) }));
