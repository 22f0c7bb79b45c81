import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';

import { createGateway, type Gateway } from '@foyer/gateway/app';
import { compose } from '@foyer/gateway/compose';
import { readConfig } from '@foyer/gateway/config';
import { systemClock as clock } from '@foyer/shared/clock';
import { Refusal } from '@foyer/shared/errors';
import { answerErrors } from '@foyer/shared/http';
import { logOptions, openLog } from '@foyer/shared/log';
import { pushQueue } from '@foyer/shared/push-queue';
import type { RequestScope } from '@foyer/shared/request';
import { INTRODUCTION, openIntroductions, openRecognition, type Introduction } from '@foyer/shared/signed-viewer';
import { buildSchema, type Subgraph } from '@foyer/shared/subgraph';
import { unauthenticated } from '@foyer/shared/viewer';
import Fastify from 'fastify';
import { parse, type GraphQLSchema } from 'graphql';
import { createClient, type Client, type FormattedExecutionResult } from 'graphql-ws';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';

import { subgraphRoutes } from './subgraph-routes.ts';

const pair = () =>
  generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
const keys = pair();
const log = openLog('silent');
/** What the subgraph logged, line by line. */
const logged: Record<string, unknown>[] = [];
const logOfSubgraph = pino(logOptions('error'), { write: (line: string) => void logged.push(JSON.parse(line)) });
const typeDefs = `
  directive @access(to: Audience!) on FIELD_DEFINITION
  enum Audience { EVERYONE }
  type Query {
    whoAsks: String @access(to: EVERYONE)
    refused: String @access(to: EVERYONE)
    broken: String @access(to: EVERYONE)
  }
  type Mutation { signIn: Boolean @access(to: EVERYONE) }
  type Subscription {
    newcomers: String @access(to: EVERYONE)
    refusedLater: String @access(to: EVERYONE)
    brokenLater: String @access(to: EVERYONE)
  }`;

const listeners = new Set<(event: string) => void>();
const whoAsks = (_: unknown, _args: unknown, { viewer, client }: Introduction) =>
  `${viewer?.kind === 'customer' ? viewer.custId : 'nobody'} from ${client.address}`;
const cookie = { name: 'session', value: 'kept', path: '/', maxAgeSeconds: 60, httpOnly: true, secure: true } as const;

const build = buildSchema<object>() as (typeDefs: string, ...slices: object[]) => GraphQLSchema;
const subgraph = {
  name: 'identity',
  schema: build(typeDefs, {
    Query: {
      whoAsks,
      refused() {
        throw unauthenticated();
      },
      broken() {
        throw new Error('the password of the database');
      },
    },
    Mutation: {
      signIn: (_: unknown, _args: unknown, { reply }: RequestScope) =>
        reply.cookies.push({ ...cookie, sameSite: 'Lax' }) > 0,
    },
    Subscription: {
      newcomers: {
        subscribe(_: unknown, _args: unknown, { signal }: RequestScope) {
          const queue = pushQueue<string>(signal);
          listeners.add(queue.push);
          queue.onEnd(() => listeners.delete(queue.push));
          return queue.items;
        },
        resolve: (event: string, args: unknown, context: Introduction) =>
          `${event} seen by ${whoAsks(event, args, context)}`,
      },
      refusedLater: {
        async *subscribe() {
          yield 'first';
          throw new Refusal('CONFLICT', 'SOLD_OUT', 'There is nothing left.');
        },
        resolve: (event: string) => event,
      },
      brokenLater: {
        async *subscribe() {
          yield 'first';
          throw new Error('the password of the database');
        },
        resolve: (event: string) => event,
      },
    },
  }),
  contextFor: (scope: RequestScope) => scope,
} as unknown as Subgraph;

const customer: Introduction = {
  viewer: { kind: 'customer', custId: 'C-1', expiresAt: 4_102_444_800 },
  client: { address: '203.0.113.7', userAgent: 'a browser' },
};
const scopeOf = (introduction = customer): RequestScope => ({
  ...introduction,
  requestId: 'r-1',
  signal: new AbortController().signal,
  reply: { cookies: [] },
});

const server = Fastify();
const door = Fastify();
/** Where the subgraph answers, and where the gateway does. */
let url: string;
let front: string;
let gateway: Gateway;

async function serve(app: typeof server): Promise<string> {
  answerErrors(app, log);
  const recognize = openRecognition({ publicKeys: [keys.publicKey], subgraph: 'identity', clock });
  await app.register(subgraphRoutes({ subgraph, recognize, log: logOfSubgraph }));
  return `${await app.listen({ port: 0, host: '127.0.0.1' })}/graphql`;
}

beforeAll(async () => {
  url = await serve(server);
  gateway = await createGateway({
    supergraphSdl: compose([{ name: 'identity', url, typeDefs }]).supergraphSdl,
    subgraphs: {},
    remote: { introduce: openIntroductions({ privateKey: keys.privateKey, clock }) },
    authenticate: async () => ({ viewer: customer.viewer, by: 'bearer' }),
    config: readConfig({}),
    log,
    clock,
  });
  await door.register(gateway.routes);
  front = `${await door.listen({ port: 0, host: '127.0.0.1' })}/graphql`;
});
afterAll(async () => {
  await door.close();
  await gateway.stop();
  await server.close();
});

const ask = (query: string, scope = scopeOf()) => gateway.execute({ document: parse(query) }, scope);

describe('a subgraph behind its gateway', () => {
  it('knows who asks, and from where', async () => {
    expect(await ask('{ whoAsks }')).toEqual({ data: { whoAsks: 'C-1 from 203.0.113.7' } });
    const nobody = scopeOf({ viewer: null, client: { address: '203.0.113.8', userAgent: '' } });
    expect(await ask('{ whoAsks }', nobody)).toEqual({ data: { whoAsks: 'nobody from 203.0.113.8' } });
  });

  it('gives nobody the answer of somebody who asked the same at the same moment', async () => {
    const others = Array.from({ length: 20 }, (_, at) =>
      scopeOf({ ...customer, client: { address: `203.0.113.${at}`, userAgent: '' } }),
    );
    const answers = await Promise.all(others.map((scope) => ask('{ whoAsks }', scope)));
    expect(answers.map(({ data }) => data?.['whoAsks'])).toEqual(
      others.map(({ client }) => `C-1 from ${client.address}`),
    );
  });

  it('sets the cookies of its use cases at the client of the gateway', async () => {
    const scope = scopeOf();
    expect(await ask('mutation { signIn }', scope)).toEqual({ data: { signIn: true } });
    expect(scope.reply.cookies).toEqual([{ ...cookie, sameSite: 'Lax' }]);
  });

  it('tells refusals as they are, and of bugs nothing', async () => {
    const { errors } = await ask('{ refused broken }');
    expect(errors?.map(({ path, extensions }) => [path?.[0], extensions['code'], extensions['reason']])).toEqual([
      ['refused', 'UNAUTHENTICATED', 'UNAUTHENTICATED'],
      ['broken', 'INTERNAL_SERVER_ERROR', undefined],
    ]);
    expect(JSON.stringify(errors)).not.toContain('password');
  });
});

const forged = () => openIntroductions({ privateKey: pair().privateKey, clock })('identity', customer);
const valid = () => openIntroductions({ privateKey: keys.privateKey, clock })('identity', customer);
const elsewhere = () => openIntroductions({ privateKey: keys.privateKey, clock })('media', customer);

describe('whoever is not the gateway', () => {
  it.each([
    ['without a signature', async () => ({})],
    ['with a signature of its own', async () => ({ [INTRODUCTION]: await forged() })],
    ['with one for another subgraph', async () => ({ [INTRODUCTION]: await elsewhere() })],
    ['with a claim instead', async () => ({ [INTRODUCTION]: JSON.stringify(customer) })],
  ])('is refused %s', async (_how, headers) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(await headers()) },
      body: JSON.stringify({ query: '{ whoAsks }' }),
    });
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ success: false, code: 'NOT_THE_GATEWAY' });
  });

  const closeCode = async (greeting: Record<string, unknown>, extensions: Record<string, unknown>) => {
    const closed = Promise.withResolvers<number>();
    const client: Client = createClient({
      url: url.replace('http', 'ws'),
      webSocketImpl: WebSocket,
      retryAttempts: 0,
      connectionParams: greeting,
      on: { closed: (event) => closed.resolve((event as { code: number }).code) },
    });
    client.subscribe(
      { query: 'subscription { newcomers }', extensions },
      { next: () => {}, error: () => {}, complete: () => {} },
    );
    const code = await closed.promise;
    await client.dispose();
    return code;
  };

  it('is sent away with 4403 when its greeting is not signed', async () => {
    expect(await closeCode({}, { [INTRODUCTION]: await valid() })).toBe(4403);
    expect(await closeCode({ [INTRODUCTION]: await forged() }, {})).toBe(4403);
  });

  it('is sent away with 4403 when a subscription does not say for whom it is', async () => {
    expect(await closeCode({ [INTRODUCTION]: await valid() }, {})).toBe(4403);
    expect(listeners.size).toBe(0);
  });
});

describe('an event stream behind the gateway', () => {
  it('is resolved for its viewer, and let go of when its client leaves', async () => {
    const client = createClient({ url: front.replace('http', 'ws'), webSocketImpl: WebSocket, retryAttempts: 0 });
    const events = client.iterate({ query: 'subscription { newcomers }' });
    const first = events.next();
    await vi.waitFor(() => expect(listeners.size).toBe(1));

    for (const tell of listeners) tell('Aminah');

    expect((await first).value).toEqual({ data: { newcomers: 'Aminah seen by C-1 from 127.0.0.1' } });
    await events.return?.();
    await vi.waitFor(() => expect(listeners.size).toBe(0));
    await client.dispose();
  });

  type Result = FormattedExecutionResult<Record<string, unknown>, unknown>;

  /** What is heard of a stream, to its end. */
  async function follow(at: string, query: string, introduction: Record<string, unknown>): Promise<Result[]> {
    const client = createClient({
      url: at.replace('http', 'ws'),
      webSocketImpl: WebSocket,
      retryAttempts: 0,
      connectionParams: introduction,
    });
    const heard: Result[] = [];
    for await (const result of client.iterate({ query, extensions: introduction })) heard.push(result);
    await client.dispose();
    return heard;
  }
  const codesOf = (results: Result[]) =>
    results.map(({ errors }) => errors?.map(({ extensions }) => extensions?.['reason'] ?? extensions?.['code']));

  it.each([
    ['is refused', 'subscription { refusedLater }', 'SOLD_OUT'],
    ['breaks', 'subscription { brokenLater }', 'INTERNAL_SERVER_ERROR'],
  ])('that %s midway ends with a word about it, and of bugs with no more than that', async (_how, query, code) => {
    const toGateway = await follow(url, query, { [INTRODUCTION]: await valid() });
    const toClient = await follow(front, query, {});

    expect(codesOf(toGateway)).toEqual([undefined, [code]]);
    expect(codesOf(toClient)).toEqual([undefined, [code]]);
    expect(JSON.stringify([toGateway, toClient])).not.toContain('password');
  });

  it('that breaks midway stands in the log of the subgraph', async () => {
    logged.length = 0;

    await follow(front, 'subscription { brokenLater }', {});

    expect(logged).toMatchObject([
      { msg: 'a subgraph failed', subgraph: 'identity', err: { message: 'the password of the database' } },
    ]);
    expect(logged[0]?.['requestId']).toBeTruthy();
  });

  it('keeps no subgraph from stopping, though its gateway does not read it', async () => {
    const stopping = Fastify();
    const socket = new WebSocket((await serve(stopping)).replace('http', 'ws'), 'graphql-transport-ws');
    await once(socket, 'open');
    socket.pause();
    const before = performance.now();

    await stopping.close();

    expect(performance.now() - before).toBeLessThan(5_000);
    socket.terminate();
  });
});
