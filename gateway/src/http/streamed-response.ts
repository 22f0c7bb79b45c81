import type { ApolloServer } from '@apollo/server';
import type { Authenticate } from '@foyer/shared/auth/authentication';
import type { Clock } from '@foyer/shared/clock';
import { publicErrorOf } from '@foyer/shared/graphql/error-masking';
import { asOperation } from '@foyer/shared/graphql/operation-span';
import type { Log } from '@foyer/shared/telemetry/log';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { GraphQLError, type ExecutionResult } from 'graphql';

import { badRequest, readParams, readQueryStringParams } from '../request/params.ts';
import type { Config } from '../config.ts';
import type { GatewayContext } from '../request/context.ts';
import { singleResult } from '../request/single-result.ts';
import { headerMapOf, asHttpRequest } from '../request/http-request.ts';
import { contextOf } from '../request/request-scope.ts';
import { openCredential } from '../streams/credential.ts';
import { isPreflighted } from '../request/preflight.ts';
import { resultWriter, type ResultWriter, type StreamType } from './result-writers.ts';

/** What streamed responses need. */
export interface StreamNeeds {
  server: ApolloServer<GatewayContext>;
  authenticate: Authenticate;
  clock: Clock;
  config: Config;
  log: Log;
  /** The open responses. */
  open: Set<FastifyReply['raw']>;
}

type Results = AsyncIterableIterator<ExecutionResult>;

/**
 * Responds with one result after another, in the format that the client accepts. Errors of the document are a result, too;
 * what concerns the caller, such as an invalid credential, is refused by a status.
 */
export async function streamedResponse(
  needs: StreamNeeds,
  request: FastifyRequest,
  reply: FastifyReply,
  type: StreamType,
  refuse: (error: unknown) => Promise<FastifyReply>,
): Promise<FastifyReply> {
  let context: GatewayContext | undefined;
  let writer: ResultWriter | undefined;
  try {
    const params = paramsOf(request);
    const http = asHttpRequest(headerMapOf(request.headers), request.method === 'GET' ? request.query : request.body);
    const operation = (context = await contextOf(needs, request, reply, { carriesStreams: true }));
    writer = resultWriter(type, { context, reply, open: needs.open });
    const answer = await asOperation(operation, () =>
      needs.server.executeOperation({ ...params, http }, { contextValue: operation }),
    );
    const { results, executed } = operation.outcome;
    const { headers } = answer.http;
    if (results) {
      writer.begin(headers);
      await passOn(needs, request, operation, writer, results);
    } else {
      const result = singleResult(answer);
      const [error] = result.errors ?? [];
      if (!executed && error && ofTheCaller.has(error.extensions['code'])) return await refuse(error);
      writer.begin(headers);
      await writer.next(result);
    }
  } catch (error) {
    if (!writer) return await refuse(error);
    throw error;
  } finally {
    void context?.outcome.results?.return?.(); // ApolloServer may have failed after it began
    writer?.end();
  }
  return reply;
}

/** Codes of refusals that have nothing to do with the document. */
const ofTheCaller = new Set<unknown>(['RATE_LIMITED', 'UNAUTHENTICATED']);

function paramsOf({ method, headers, query, body }: FastifyRequest) {
  if (!isPreflighted(headers)) throw badRequest(notPreflighted);
  return method === 'GET' ? readQueryStringParams(query as Record<string, unknown>) : readParams(body);
}

const notPreflighted =
  'Send the content type application/json, or a header such as apollo-require-preflight: ' +
  'requests that a page of another site could make unasked are not answered.';

/** Sends results until there are no more, the client has gone, or its credential is no longer valid. */
async function passOn(
  needs: StreamNeeds,
  { headers }: FastifyRequest,
  { scope }: GatewayContext,
  writer: ResultWriter,
  results: Results,
): Promise<void> {
  const { authenticate, clock, config } = needs;
  const ending: { why?: GraphQLError } = {};
  const stop = () => void results.return?.();
  scope.signal.addEventListener('abort', stop, { once: true });
  let watching: { stop(): void } | undefined;
  try {
    if (scope.signal.aborted) return;
    if (scope.viewer ?? scope.access?.authenticated) {
      const { recheckMs } = config.streams;
      // A stream may last longer than the credential that opened it.
      const credential = await openCredential({ authenticate, clock, recheckMs }, headers);
      watching = credential;
      credential.watch((why) => {
        ending.why = noLonger(why, scope.requestId);
        stop();
      });
    }
    for await (const result of results) await writer.next(result);
    if (ending.why) await writer.broken(ending.why);
  } catch (error) {
    await writer.broken(publicErrorOf(error, { requestId: scope.requestId, log: needs.log }));
  } finally {
    watching?.stop();
    stop(); // also when the credential is no longer valid
  }
}

const noLonger = (why: 'expired' | 'revoked', requestId: string) =>
  new GraphQLError(why === 'expired' ? 'The token has expired.' : 'The token was revoked.', {
    extensions: {
      code: 'UNAUTHENTICATED',
      reason: why === 'expired' ? 'TOKEN_EXPIRED' : 'TOKEN_REVOKED',
      requestId,
    },
  });
