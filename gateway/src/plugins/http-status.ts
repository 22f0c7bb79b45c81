import { HeaderMap, type ApolloServerPlugin } from '@apollo/server';
import { httpStatusOf } from '@foyer/shared/errors';
import { GraphQLError, type FormattedExecutionResult } from 'graphql';

import { negotiated } from '../request/negotiation.ts';
import type { GatewayContext } from '../request/context.ts';

/**
 * Sets the status of responses as "GraphQL over HTTP" requires, where ApolloServer differs from it for clients that accept
 * `application/json` only, and by the table of our refusals.
 */
export const httpStatus = (): ApolloServerPlugin<GatewayContext> => ({
  requestDidStart: async () => ({
    async willSendResponse({ request, response, errors, contextValue }) {
      const { carriesStreams, internal, outcome } = contextValue;
      if (carriesStreams || internal || response.body.kind !== 'single') return; // another transport writes the response
      const { named, type } = negotiated(request.http?.headers.get('accept'));
      const lenient = named && type === 'application/json';
      // ApolloServer would parse the header again.
      if (type !== undefined) {
        const json = type === 'text/html' ? 'application/json' : type; // a landing page is no response to an operation
        response.http.headers.set('content-type', `${json}; charset=utf-8`);
      }
      const { singleResult } = response.body;
      if (!singleResult.errors) return; // 200, or what an operator's plugin has set
      if (outcome.executed || singleResult.data !== undefined) {
        const retryAfter = busyFor(singleResult);
        if (retryAfter !== undefined) response.http.headers.set('retry-after', String(retryAfter));
        response.http.status = retryAfter === undefined ? statusOfResult(singleResult, lenient) : 503;
        return;
      }
      const { status, headers } = httpHead(errors?.[0], singleResult.errors[0]?.extensions?.['code']);
      // A client that names application/json gets 200 for a well-formed request with an invalid document.
      response.http.status = lenient && ofTheDocument.has(String(errors?.[0]?.extensions['code'])) ? 200 : status;
      for (const [name, value] of headers) response.http.headers.set(name, value);
    },
  }),
});

/** Codes of well-formed requests whose document GraphQL refuses. */
const ofTheDocument = new Set(['GRAPHQL_PARSE_FAILED', 'GRAPHQL_VALIDATION_FAILED']);

/** Reasons that mean the database is down: neither data nor the viewer's session could be read. */
const databaseDown = new Set<unknown>(['DATABASE_BUSY', 'REVOCATION_UNKNOWN']);

/** The `Retry-After` of a response that lacks any part because the database is down, in seconds. */
function busyFor({ data, errors = [] }: FormattedExecutionResult): number | undefined {
  const answered = Object.values(data ?? {}).some((field) => field !== null);
  const busy = errors.find(({ extensions }) => databaseDown.has(extensions?.['reason']));
  return busy && !answered ? Number(busy.extensions?.['retryAfter'] ?? 1) : undefined;
}

/** The status of an executed operation: without data nothing was executed, by fault of the request or of ours. */
function statusOfResult({ data, errors }: FormattedExecutionResult, lenient: boolean): number {
  if (data !== undefined || lenient) return 200;
  return errors?.every(({ extensions }) => extensions?.['code'] === 'INTERNAL_SERVER_ERROR') ? 500 : 400;
}

interface Http {
  status?: number;
  headers?: Map<string, string> | Record<string, string>;
}

/**
 * The status and the headers of a refused request, by its error.
 *
 * @param shown the code that the client gets: another one than the error's when that is masked
 */
function httpHead(error: unknown, shown?: unknown): { status: number; headers: HeaderMap } {
  const { code, http, retryAfter } = error instanceof GraphQLError ? error.extensions : {};
  const { status, headers = {} } = (http ?? {}) as Http;
  const known = shown ?? code;
  const byCode = isKnown(known) ? httpStatusOf[known] : 400;
  const given = headers instanceof Map ? [...headers] : Object.entries(headers);
  return {
    status: status ?? byCode,
    headers: new HeaderMap([...given, ...(typeof retryAfter === 'number' ? [retry(retryAfter)] : [])]),
  };
}

const retry = (seconds: number): [string, string] => ['retry-after', String(seconds)];

const isKnown = (code: unknown): code is keyof typeof httpStatusOf => Object.hasOwn(httpStatusOf, String(code));

/**
 * The error of a request that never became an operation, with its status and headers as ApolloServer reads them.
 * Anything but a GraphQLError is a fault of ours.
 */
export function withHttpHead(error: unknown): Error {
  if (!(error instanceof GraphQLError)) return error instanceof Error ? error : new Error(String(error));
  const { message, extensions } = error;
  return new GraphQLError(message, { originalError: error, extensions: { ...extensions, http: httpHead(error) } });
}
