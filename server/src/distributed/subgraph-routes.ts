import type { DataSource, Fetch } from '@foyer/gateway/data-sources/data-source';
import { inProcess } from '@foyer/gateway/data-sources/in-process';
import { maskedAtSource } from '@foyer/gateway/errors';
import { operationContext } from '@foyer/gateway/operation-context';
import { during } from '@foyer/gateway/operation-span';
import { closeSockets } from '@foyer/gateway/subscriptions/close-sockets';
import { serveProtocol } from '@foyer/gateway/subscriptions/serve-protocol';
import { Refusal } from '@foyer/shared/errors';
import { whileConnected } from '@foyer/shared/http/error-body';
import type { Log } from '@foyer/shared/telemetry/log';
import { INTRODUCTION, type Introduction, type Recognize } from '@foyer/shared/auth/signed-viewer';
import type { Subgraph } from '@foyer/shared/graphql/subgraph';
import { continueTrace, traced, type Carrier } from '@foyer/shared/telemetry/tracing';
import type { FastifyPluginAsync } from 'fastify';
import { GraphQLError, parse, type ExecutionArgs, type ExecutionResult } from 'graphql';
import type { ServerOptions } from 'graphql-ws';
import type { Extra } from 'graphql-ws/use/ws';
import { WebSocketServer } from 'ws';
import { z } from 'zod';

interface Needs {
  subgraph: Subgraph;
  recognize: Recognize;
  log: Log;
}

/** What plans send is short; the variables of a client may be as large as its request. */
const BODY_BYTES = 8 * 1024 * 1024;
const FORBIDDEN = 4403;
const ALIVE_MS = 30_000;

const Asked = z.object({
  query: z.string(),
  operationName: z.string().nullish(),
  variables: z.record(z.string(), z.unknown()).nullish(),
});

const notTheGateway = () =>
  new Refusal('FORBIDDEN', 'NOT_THE_GATEWAY', 'This subgraph answers its gateway, and nobody else.');

/**
 * A subgraph for the gateways on its network: `POST /graphql`, and `/graphql` as graphql-transport-ws. It believes
 * what the gateway has signed, and refuses everything else with 403 or 4403; what a use case asks of the HTTP answer
 * travels back as `extensions.cookies`.
 */
export const subgraphRoutes =
  (needs: Needs): FastifyPluginAsync =>
  async (app) => {
    const { subgraph, recognize, log } = needs;
    const source = inProcess(subgraph.name, subgraph, log, { compiled: true });

    app.post('/graphql', { bodyLimit: BODY_BYTES }, async (request, reply) => {
      const introduction = await recognize(request.headers[INTRODUCTION]);
      if (!introduction) throw notTheGateway();
      const scope = scopeOf(introduction, request.id, whileConnected(reply.raw));
      const answer = await source.fetch(fetchOf(request.body), operationContext(scope));
      const { cookies } = scope.reply;
      return reply
        .type('application/graphql-response+json; charset=utf-8')
        .send({ ...answer, ...(cookies.length > 0 && { extensions: { cookies } }) });
    });

    const sockets = new WebSocketServer({ server: app.server, path: '/graphql', maxPayload: BODY_BYTES });
    // Whether a gateway still lives is left to TCP: one whose client reads slowly answers no ping either.
    serveProtocol(streams(needs, source), sockets, { log, pingMs: 0 });
    sockets.on('connection', (_webSocket, { socket }) => socket.setKeepAlive(true, ALIVE_MS));
    // An open WebSocket would keep the server from closing.
    app.addHook('preClose', () => closeSockets(sockets));
  };

const scopeOf = (introduction: Introduction, requestId: string, signal: AbortSignal) => ({
  ...introduction,
  requestId,
  signal,
  reply: { cookies: [] },
});

function fetchOf(asked: unknown): Fetch {
  const { query, operationName, variables } = Asked.parse(asked);
  // Of what kind it is matters to those only who might send it twice.
  return { query, kind: 'query', operationName: operationName ?? undefined, variables: variables ?? {} };
}

interface Prepared extends ExecutionArgs {
  contextValue: { fetch: Fetch; introduction: Introduction; requestId: string; trace: Carrier };
}

type Greeting = Readonly<Record<string, unknown>> | undefined;

/** The gateway greets for nobody; each subscription says for whom it is. */
function streams({ subgraph, recognize, log }: Needs, source: DataSource): ServerOptions<Greeting, Extra> {
  return {
    onConnect: async ({ connectionParams }) => (await recognize(connectionParams?.[INTRODUCTION])) !== null,
    async onSubscribe({ extra }, _id, { extensions, ...asked }): Promise<Prepared | readonly GraphQLError[]> {
      const introduction = await recognize(extensions?.[INTRODUCTION]);
      if (!introduction) {
        extra.socket.close(FORBIDDEN, 'Forbidden');
        return [notTheGateway()];
      }
      const fetch = fetchOf(asked);
      const requestId = z.string().catch('').parse(extensions?.['requestId']);
      return {
        schema: subgraph.schema,
        document: parse(fetch.query),
        contextValue: { fetch, introduction, requestId, trace: extensions ?? {} },
      };
    },
    subscribe(args) {
      const { requestId } = (args as Prepared).contextValue;
      const masked = (error: unknown) =>
        maskedAtSource(asGraphQLError(error), { requestId, log, subgraph: subgraph.name });
      return subscribe(source, args as Prepared, masked);
    },
  };
}

const asGraphQLError = (thrown: unknown): GraphQLError =>
  thrown instanceof GraphQLError
    ? thrown
    : new GraphQLError('failed', { originalError: thrown instanceof Error ? thrown : new Error(String(thrown)) });

type Mask = (error: unknown) => GraphQLError;

async function subscribe(source: DataSource, { contextValue }: Prepared, masked: Mask) {
  const { fetch, introduction, requestId, trace } = contextValue;
  const leaving = new AbortController();
  const context = () => operationContext(scopeOf(introduction, requestId, leaving.signal));
  const asking = context();
  const upstream = await during(asking, () => continueTrace(trace, () => source.subscribe(fetch, asking)));
  if ('errors' in upstream) return { errors: upstream.errors };
  const { events } = upstream;

  /** Every event is resolved in a context of its own, so that no loader is stale. */
  async function next(): Promise<ExecutionResult | undefined> {
    const { done, value } = await during(asking, () => events.next());
    if (done) return undefined;
    const ofEvent = context();
    return during(ofEvent, () => traced('subscription event', { apartFrom: trace }, () => value(ofEvent)));
  }
  async function leave() {
    leaving.abort();
    await events.return?.();
  }
  return resultsOf({ next, leave, masked, left: () => leaving.signal.aborted });
}

interface Results {
  /** Nothing when there are no more. */
  next(): Promise<ExecutionResult | undefined>;
  leave(): Promise<void>;
  left(): boolean;
  masked: Mask;
}

/** Whatever breaks is a result, the last one: what is thrown here, graphql-ws sends as it is. */
function resultsOf({ next, leave, left, masked }: Results): AsyncIterableIterator<ExecutionResult> {
  let broken = false;
  const finish = async (): Promise<IteratorResult<ExecutionResult>> => {
    await leave();
    return { done: true, value: undefined };
  };
  return {
    async next() {
      if (broken) return finish();
      try {
        const value = await next();
        return value ? { done: false, value } : finish();
      } catch (error) {
        if (left()) return finish();
        broken = true;
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
