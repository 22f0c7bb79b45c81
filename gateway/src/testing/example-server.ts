import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

import { buildSubgraphSchema, type GraphQLSchemaModule } from '@apollo/subgraph';
import type { Authenticate } from '@foyer/shared/auth/authentication';
import { systemClock } from '@foyer/shared/clock';
import { Refusal } from '@foyer/shared/errors';
import { holdBrowsersTo, serverForBrowsers } from '@foyer/shared/http/browsers/browsers';
import { pushQueue } from '@foyer/shared/graphql/push-queue';
import { logOptions } from '@foyer/shared/telemetry/log';
import type { RequestScope } from '@foyer/shared/http/request';
import { headLimits, holdToLimits, serverLimits, type ServerLimits } from '@foyer/shared/http/server-limits';
import { unauthenticated, type Customer } from '@foyer/shared/auth/viewer';
import fastify from 'fastify';
import { parse } from 'graphql';
import { pino } from 'pino';

import { createGateway, type GatewayOptions } from '../app.ts';
import { compose } from '../supergraph/compose.ts';
import { readConfig } from '../config.ts';

type Resolvers = NonNullable<GraphQLSchemaModule['resolvers']>;

const link = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.9",
  import: ["@key", "@external", "@requires", "@shareable"])`;

const people = `${link}
  scalar Date
  type Query { me: User, user(id: ID!): User, bornOn(day: Date!): [User!]!, broken: String, dented: String!, slow: String,
    found(who: Who): String }
  input Who { nationalId: String role: Role }
  enum Role { ADMIN MEMBER }
  type Mutation { login(name: String!): User!, refuseLate: User }
  type User @key(fields: "id") { id: ID! name: String! friends: [User!]! failing: String refused: String late: String }
`;

const shop = `${link}
  type Query { order(no: ID!): Order }
  type Mutation { pay(no: ID!): Order! }
  type Subscription { orderPaid(no: ID!): Order, everyOrder: Order, closedShop: Order, brokenShop: Order }
  type Order @key(fields: "no") { no: ID! lines: [Line!]! buyer: User! refusing: String }
  type Line { what: String! count: Int! }
  type User @key(fields: "id") {
    id: ID! name: String! @external
    orders: [Order!]!
    badge: String @requires(fields: "name")
  }
`;

const names: Record<string, string> = { '1': 'Aminah', '2': 'Bala' };
const order = (no: string) => ({ no, lines: [{ what: 'seat', count: 2 }], buyer: { __typename: 'User', id: '1' } });

/** Everything that the subgraphs saw, for the tests to look at. */
export interface Seen {
  scopes: RequestScope[];
  /** How many event streams are open in the shop. */
  live: number;
  /** Each that was ever opened there and is not collected yet. */
  opened: WeakRef<object>[];
  /** Names that were loaded in one batch. */
  batches: string[][];
  /** What the server logged, line by line. */
  log: Record<string, unknown>[];
}

function peopleSchema({ batches }: Seen) {
  const user = (id: string) => (names[id] ? { id } : null);
  const resolvers = {
    Query: {
      me: (_: unknown, _args: unknown, { scope }: { scope: RequestScope }) => {
        if (!scope.viewer) throw unauthenticated();
        return user('1');
      },
      user: (_: unknown, { id }: { id: string }) => user(id),
      bornOn: () => [user('1')],
      broken: () => {
        throw new Error('the database at 10.0.0.7 is gone');
      },
      dented: () => null,
      /** Takes until the client has gone. */
      slow: (_: unknown, _args: unknown, { scope }: { scope: RequestScope }) =>
        once(scope.signal, 'abort').then(() => null),
    },
    Mutation: {
      refuseLate: () =>
        new Promise((_resolve, reject) => {
          setTimeout(() => reject(unauthenticated()), 5);
        }),
      login(_: unknown, _args: unknown, { scope }: { scope: RequestScope }) {
        for (const name of ['access_token', 'refresh_token']) {
          const kept = { path: '/', maxAgeSeconds: 60, httpOnly: true, secure: false, sameSite: 'Lax' } as const;
          scope.reply.cookies.push({ name, value: 'x', ...kept });
        }
        return user('1');
      },
    },
    User: {
      __resolveReference: ({ id }: { id: string }) => user(id),
      name: ({ id }: { id: string }, _args: unknown, context: { names?: string[] }) => {
        if (!context.names) batches.push((context.names = []));
        context.names.push(id);
        return names[id];
      },
      friends: () => [user('1'), user('2')],
      failing: () => {
        throw new Error('secret of the server');
      },
      late: () => new Promise((resolve) => setTimeout(resolve, 5, 'at last')),
      refused: () => {
        throw new Refusal('FORBIDDEN', 'NOT_YOURS', 'That is not yours.', { hint: 'ask' });
      },
    },
  };
  return buildSubgraphSchema([{ typeDefs: parse(people), resolvers: resolvers as Resolvers }]);
}

/** Publishes to the subscribers of the shop. */
function shopFloor(seen: Seen) {
  const watchers = new Set<(no: string) => void>();
  return {
    publish: (no: string) => watchers.forEach((watcher) => watcher(no)),
    watch(signal: AbortSignal) {
      const queue = pushQueue<string>(signal);
      watchers.add(queue.push);
      seen.live += 1;
      seen.opened.push(new WeakRef(queue.items));
      queue.onEnd(() => {
        watchers.delete(queue.push);
        seen.live -= 1;
      });
      return queue.items;
    },
  };
}

function shopSchema({ watch }: ReturnType<typeof shopFloor>) {
  const resolvers = {
    Query: { order: (_: unknown, { no }: { no: string }) => order(no) },
    Mutation: { pay: (_: unknown, { no }: { no: string }) => order(no) },
    Subscription: {
      orderPaid: {
        // A generator on purpose: many resolvers are, and it must be released all the same.
        async *subscribe(_: unknown, { no }: { no: string }, { scope }: { scope: RequestScope }) {
          for await (const paid of watch(scope.signal)) if (paid === no) yield order(paid);
        },
        resolve: (paid: object) => paid,
      },
      everyOrder: {
        subscribe: (_: unknown, _args: unknown, { scope }: { scope: RequestScope }) => watch(scope.signal),
        resolve: (no: string) => (no === 'none' ? null : order(no)),
      },
      closedShop: {
        subscribe() {
          throw new Refusal('CONFLICT', 'SHOP_CLOSED', 'The shop is closed.');
        },
      },
      brokenShop: {
        async *subscribe() {
          yield 'A1';
          throw new Error('the shop burned down');
        },
        resolve: (no: string) => order(no),
      },
    },
    Order: {
      __resolveReference: ({ no }: { no: string }) => order(no),
      refusing: () => {
        throw new Refusal('NOT_FOUND', 'NO_SUCH_THING', 'There is no such thing.');
      },
    },
    User: {
      __resolveReference: (user: object) => user,
      orders: () => [order('A1')],
      badge: ({ name }: { name: string }) => `${name} *`,
    },
  };
  return buildSubgraphSchema([{ typeDefs: parse(shop), resolvers: resolvers as Resolvers }]);
}

/** `Bearer customer` and the cookie `customer` are good until `expiresAt`; any other bearer is not. */
const authenticateUntil =
  (expiresAt: () => number, revoked: () => boolean): Authenticate =>
  async ({ authorization, cookie }) => {
    const viewer: Customer = { kind: 'customer', custId: '1', issuedAt: 0, expiresAt: expiresAt() };
    if (authorization === 'Bearer customer' && !revoked()) return { viewer, by: 'bearer' };
    if (authorization) throw unauthenticated();
    if (cookie?.includes('token=customer')) return { viewer, by: 'cookie' };
    return { viewer: null, by: 'nothing' };
  };

const supergraphOf = (...typeDefs: [string, string]) =>
  compose(['people', 'shop'].map((name, at) => ({ name, url: 'http://nowhere.test', typeDefs: typeDefs[at] ?? '' })))
    .supergraphSdl;

/** Two small subgraphs behind a real gateway, on a port of its own. */
export async function startExampleServer(
  env: Record<string, string> = {},
  limits: ServerLimits = serverLimits,
  plugins: NonNullable<GatewayOptions['plugins']> = [],
) {
  const seen: Seen = { scopes: [], live: 0, opened: [], batches: [], log: [] };
  const floor = shopFloor(seen);
  const contextFor = (scope: RequestScope) => {
    seen.scopes.push(scope);
    return { scope };
  };
  let looks = Number.POSITIVE_INFINITY;
  let expiresAt = Date.now() / 1_000 + 3_600;
  const log = pino(logOptions('info'), { write: (line: string) => void seen.log.push(JSON.parse(line)) });
  const config = readConfig({ DRAIN_MS: '0', ...env });
  const supergraphSdl = supergraphOf(people, shop);
  const gateway = await createGateway({
    supergraphSdl,
    subgraphs: {
      people: { schema: peopleSchema(seen), contextFor },
      shop: { schema: shopSchema(floor), contextFor },
    },
    authenticate: authenticateUntil(
      () => expiresAt,
      () => (looks -= 1) < 0,
    ),
    config,
    log,
    clock: systemClock,
    plugins,
    examples: [{ title: 'Who am I?', document: 'query Me { me { name } }' }],
  });
  const app = fastify({
    forceCloseConnections: true,
    http: { ...headLimits(limits), shouldUpgradeCallback: serverForBrowsers(config).shouldUpgradeCallback },
    trustProxy: env['TRUSTED_PROXIES'] ?? false,
  });
  await holdBrowsersTo(app, config);
  holdToLimits(app, limits);
  await app.register(gateway.routes);
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;

  return {
    gateway,
    supergraphSdl,
    seen,
    publish: floor.publish,
    url: `http://127.0.0.1:${port}/graphql`,
    wsUrl: `ws://127.0.0.1:${port}/graphql`,
    expireIn: (seconds: number) => (expiresAt = Date.now() / 1_000 + seconds),
    /** @param after how many more looks at the token */
    revoke: (after = 0) => (looks = after),
    /** A supergraph of the same subgraphs that is another one. */
    otherSupergraph: () => supergraphOf(people, shop.replace('closedShop: Order,', '')),
    async post(query: string, { variables, headers }: { variables?: object; headers?: Record<string, string> } = {}) {
      const response = await fetch(`http://127.0.0.1:${port}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ query, variables }),
      });
      return { status: response.status, headers: response.headers, body: (await response.json()) as Body };
    },
    async stop() {
      await app.close();
      await gateway.stop();
    },
  };
}

export type ExampleServer = Awaited<ReturnType<typeof startExampleServer>>;

interface Body {
  data?: Record<string, unknown> | null;
  errors?: { message: string; path?: unknown[]; extensions: Record<string, unknown> }[];
}
