import { kindOf, type DataSource, type Fetch } from '@foyer/shared/graphql/data-source';
import { inProcess } from '@foyer/shared/graphql/in-process';
import { maskedAtSource } from '@foyer/shared/graphql/error-masking';
import { operationContext } from '@foyer/shared/graphql/operation-context';
import { during } from '@foyer/shared/graphql/operation-span';
import { compiledExecution } from '@foyer/shared/graphql/compiled-execution';
import { closeSockets } from '@foyer/shared/web-sockets/close-sockets';
import { serveProtocol } from '@foyer/shared/web-sockets/serve-protocol';
import { whileConnected } from '@foyer/shared/http/error-body';
import type { Log } from '@foyer/shared/telemetry/log';
import { SIGNED_CONTEXT, type SignedContext, type VerifyContext } from '@foyer/shared/graphql/signed-context';
import type { Subgraph } from '@foyer/shared/graphql/subgraph';
import { continueTrace, traced, type Carrier } from '@foyer/shared/telemetry/tracing';
import type { FastifyPluginAsync } from 'fastify';
import { GraphQLError, parse, type ExecutionArgs, type ExecutionResult } from 'graphql';
import { CloseCode, type ServerOptions } from 'graphql-ws';
import type { Extra } from 'graphql-ws/use/ws';
import { WebSocketServer } from 'ws';
import { z } from 'zod';

import { notTheGateway } from './refusals.ts';

interface Needs {
  subgraph: Subgraph;
  verifyContext: VerifyContext;
  log: Log;
}

/** The queries of plans are short, but a client's variables may be as large as its request. */
const BODY_BYTES = 8 * 1024 * 1024;
const ALIVE_MS = 30_000;

const GraphQLParams = z.object({
  query: z.string(),
  operationName: z.string().nullish(),
  variables: z.record(z.string(), z.unknown()).nullish(),
});

/**
 * Serves a subgraph to the gateways on its network: `POST /graphql`, and `/graphql` over graphql-transport-ws. Only
 * requests with a gateway's signature are accepted, others are refused with 403 or 4403. Cookies that a use case sets
 * are returned in `extensions.cookies`.
 */
export const subgraphEndpoint =
  (needs: Needs): FastifyPluginAsync =>
  async (app) => {
    const { subgraph, verifyContext, log } = needs;
    const source = inProcess(subgraph.name, subgraph, log, { execute: compiledExecution() });

    app.post('/graphql', { bodyLimit: BODY_BYTES }, async (request, reply) => {
      const signed = await verifyContext(request.headers[SIGNED_CONTEXT]);
      if (!signed) throw notTheGateway();
      const scope = scopeOf(signed, request.id, whileConnected(reply.raw));
      const answer = await source.fetch(fetchOf(request.body), operationContext(scope));
      const { cookies } = scope.reply;
      return reply
        .type('application/graphql-response+json; charset=utf-8')
        .send({ ...answer, ...(cookies.length > 0 && { extensions: { cookies } }) });
    });

    const sockets = new WebSocketServer({ server: app.server, path: '/graphql', maxPayload: BODY_BYTES });
    // TCP keep-alive detects a dead gateway; a ping would also fail for one whose client reads slowly.
    serveProtocol(streams(needs, source), sockets, { log, pingMs: 0 });
    sockets.on('connection', (_webSocket, { socket }) => socket.setKeepAlive(true, ALIVE_MS));
    // An open WebSocket would prevent the server from closing.
    app.addHook('preClose', () => closeSockets(sockets));
  };

const scopeOf = (signed: SignedContext, requestId: string, signal: AbortSignal) => ({
  ...signed,
  requestId,
  signal,
  reply: { cookies: [] },
});

function fetchOf(params: unknown): Fetch {
  const { query, operationName, variables } = GraphQLParams.parse(params);
  return { query, kind: kindOf(query), operationName: operationName ?? undefined, variables: variables ?? {} };
}

interface SubscriptionArgs extends ExecutionArgs {
  contextValue: { fetch: Fetch; signed: SignedContext; requestId: string; trace: Carrier };
}

type ConnectionParams = Readonly<Record<string, unknown>> | undefined;

/** A connection carries subscriptions of many viewers: each subscription is signed by itself. */
function streams({ subgraph, verifyContext, log }: Needs, source: DataSource): ServerOptions<ConnectionParams, Extra> {
  return {
    onConnect: async ({ connectionParams }) => (await verifyContext(connectionParams?.[SIGNED_CONTEXT])) !== null,
    async onSubscribe({ extra }, _id, { extensions, ...params }): Promise<SubscriptionArgs | readonly GraphQLError[]> {
      const signed = await verifyContext(extensions?.[SIGNED_CONTEXT]);
      if (!signed) {
        extra.socket.close(CloseCode.Forbidden, 'Forbidden');
        return [notTheGateway()];
      }
      const fetch = fetchOf(params);
      const requestId = z.string().catch('').parse(extensions?.['requestId']);
      return {
        schema: subgraph.schema,
        document: parse(fetch.query),
        contextValue: { fetch, signed, requestId, trace: extensions ?? {} },
      };
    },
    subscribe(args) {
      const { requestId } = (args as SubscriptionArgs).contextValue;
      const masked = (error: unknown) =>
        maskedAtSource(asGraphQLError(error), { requestId, log, subgraph: subgraph.name });
      return subscribe(source, args as SubscriptionArgs, masked);
    },
  };
}

const asGraphQLError = (thrown: unknown): GraphQLError =>
  thrown instanceof GraphQLError
    ? thrown
    : new GraphQLError('failed', { originalError: thrown instanceof Error ? thrown : new Error(String(thrown)) });

type Mask = (error: unknown) => GraphQLError;

async function subscribe(source: DataSource, { contextValue }: SubscriptionArgs, masked: Mask) {
  const { fetch, signed, requestId, trace } = contextValue;
  const cancellation = new AbortController();
  const context = () => operationContext(scopeOf(signed, requestId, cancellation.signal));
  const subscribing = context();
  const upstream = await during(subscribing, () => continueTrace(trace, () => source.subscribe(fetch, subscribing)));
  if ('errors' in upstream) return { errors: upstream.errors };
  const { events } = upstream;

  /** Resolves every event in a new context, so that no loader is stale. */
  async function next(): Promise<ExecutionResult | undefined> {
    const { done, value } = await during(subscribing, () => events.next());
    if (done) return undefined;
    const eventContext = context();
    return during(eventContext, () => traced('subscription event', { apartFrom: trace }, () => value(eventContext)));
  }
  async function cancel() {
    cancellation.abort();
    await events.return?.();
  }
  return resultsOf({ next, cancel, masked, cancelled: () => cancellation.signal.aborted });
}

interface Results {
  /** Returns undefined after the last event. */
  next(): Promise<ExecutionResult | undefined>;
  cancel(): Promise<void>;
  cancelled(): boolean;
  masked: Mask;
}

/** Turns a failure into a last, masked result: graphql-ws would send a thrown error unmasked. */
function resultsOf({ next, cancel, cancelled, masked }: Results): AsyncIterableIterator<ExecutionResult> {
  let failed = false;
  const finish = async (): Promise<IteratorResult<ExecutionResult>> => {
    await cancel();
    return { done: true, value: undefined };
  };
  return {
    async next() {
      if (failed) return finish();
      try {
        const value = await next();
        return value ? { done: false, value } : await finish();
      } catch (error) {
        if (cancelled()) return finish();
        failed = true;
        return { done: false, value: { errors: [masked(error)] } };
      }
    },
    return: finish,
    throw: finish,
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
