import { generateKeyPairSync } from 'node:crypto';

import { createGateway, type Gateway } from '@foyer/gateway/app';
import { compose } from '@foyer/gateway/supergraph/compose';
import { readConfig } from '@foyer/gateway/config';
import { systemClock as clock } from '@foyer/shared/clock';
import { Refusal } from '@foyer/shared/errors';
import { answerErrors } from '@foyer/shared/http/error-body';
import { logOptions, openLog } from '@foyer/shared/telemetry/log';
import { pushQueue } from '@foyer/shared/graphql/push-queue';
import type { RequestScope, SetCookie } from '@foyer/shared/http/request';
import { openContextSigner, openContextVerifier, type SignedContext } from '@foyer/shared/graphql/signed-context';
import { buildSchema, type Subgraph } from '@foyer/shared/graphql/subgraph';
import { unauthenticated } from '@foyer/shared/auth/viewer';
import Fastify, { type FastifyInstance } from 'fastify';
import { parse, type GraphQLSchema } from 'graphql';
import { pino } from 'pino';
import { afterAll, beforeAll } from 'vitest';

import { subgraphEndpoint } from '../subgraph-endpoint.ts';

export const pair = () =>
  generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
const keys = pair();
/** Signs a context as the gateway does, for any viewer and with any key. */
export const signContext = (subgraph = 'identity', { privateKey } = keys) =>
  openContextSigner({ privateKey, clock })(subgraph, customer);
const log = openLog('silent');
/** The log lines of the subgraph. */
const logged: Record<string, unknown>[] = [];
const logOfSubgraph = pino(logOptions('error'), { write: (line: string) => void logged.push(JSON.parse(line)) });
const typeDefs = `
  directive @access(to: Audience!) on FIELD_DEFINITION
  enum Audience { EVERYONE }
  type Query {
    caller: String @access(to: EVERYONE)
    refused: String @access(to: EVERYONE)
    broken: String @access(to: EVERYONE)
  }
  type Mutation { login: Boolean @access(to: EVERYONE) }
  type Subscription {
    newcomers: String @access(to: EVERYONE)
    refusedLater: String @access(to: EVERYONE)
    brokenLater: String @access(to: EVERYONE)
  }`;

const listeners = new Set<(event: string) => void>();
const caller = (_: unknown, _args: unknown, { viewer, client }: SignedContext) =>
  `${viewer?.kind === 'customer' ? viewer.custId : 'nobody'} from ${client.address}`;
/** The cookie of a login. */
export const cookie: SetCookie = {
  name: 'session',
  value: 'kept',
  path: '/',
  maxAgeSeconds: 60,
  httpOnly: true,
  secure: true,
  sameSite: 'Lax',
};

const build = buildSchema<object>() as (typeDefs: string, ...slices: object[]) => GraphQLSchema;
const subgraph = {
  name: 'identity',
  schema: build(typeDefs, {
    Query: {
      caller,
      refused() {
        throw unauthenticated();
      },
      broken() {
        throw new Error('the password of the database');
      },
    },
    Mutation: {
      login: (_: unknown, _args: unknown, { reply }: RequestScope) => reply.cookies.push(cookie) > 0,
    },
    Subscription: {
      newcomers: {
        subscribe(_: unknown, _args: unknown, { signal }: RequestScope) {
          const queue = pushQueue<string>(signal);
          listeners.add(queue.push);
          queue.onEnd(() => listeners.delete(queue.push));
          return queue.items;
        },
        resolve: (event: string, args: unknown, context: SignedContext) =>
          `${event} seen by ${caller(event, args, context)}`,
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

export const customer: SignedContext = {
  viewer: { kind: 'customer', custId: 'C-1', issuedAt: 0, expiresAt: 4_102_444_800 },
  client: { address: '203.0.113.7', userAgent: 'a browser' },
};
export const scopeOf = (signed = customer): RequestScope => ({
  ...signed,
  requestId: 'r-1',
  signal: new AbortController().signal,
  reply: { cookies: [] },
});

/** For all tests of a file: a subgraph on the network, and the gateway in front of it. */
export function subgraphBehindGateway() {
  const server = Fastify();
  const edge = Fastify();
  let gateway: Gateway;
  const urls = { subgraph: '', gateway: '' };

  beforeAll(async () => {
    urls.subgraph = await serve(server);
    gateway = await createGateway({
      supergraphSdl: compose([{ name: 'identity', url: urls.subgraph, typeDefs }]).supergraphSdl,
      subgraphs: {},
      remote: { signContext: openContextSigner({ privateKey: keys.privateKey, clock }) },
      authenticate: async () => ({ viewer: customer.viewer, by: 'bearer' }),
      config: readConfig({}),
      log,
      clock,
    });
    await edge.register(gateway.routes);
    urls.gateway = `${await edge.listen({ port: 0, host: '127.0.0.1' })}/graphql`;
  });
  afterAll(async () => {
    await edge.close();
    await gateway.stop();
    await server.close();
  });

  return {
    /** The addresses of both, once the tests run. */
    urls,
    /** The subscribers. */
    listeners,
    /** The log lines of the subgraph. */
    logged,
    ask: (query: string, scope = scopeOf()) => gateway.execute({ document: parse(query) }, scope),
  };
}

/** Serves the subgraph. @returns its address */
export async function serve(app: FastifyInstance): Promise<string> {
  answerErrors(app, log);
  const verifyContext = openContextVerifier({ publicKeys: [keys.publicKey], subgraph: 'identity', clock });
  await app.register(subgraphEndpoint({ subgraph, verifyContext, log: logOfSubgraph }));
  return `${await app.listen({ port: 0, host: '127.0.0.1' })}/graphql`;
}
