/** A fifth subgraph, for subscriptions: a hundred events a second, spread over so many topics. */
import { buildSubgraphSchema } from '@apollo/subgraph';
import { pushQueue } from '@foyer/shared/graphql/push-queue';
import { parse } from 'graphql';

export const ticksTypeDefs = `
  extend type Query { topics: Int }
  type Subscription { tick(topic: Int!): Tick }
  type Tick { "When it was sent, in milliseconds." at: Float! product: Product }
  extend type Product @key(fields: "upc") { upc: String! @external }
`;

const EVERY_MS = 10;

interface Scope {
  signal: AbortSignal;
}

/** @param topics an event goes to one topic after the other */
export function ticksSchema(topics: number) {
  const listeners = Array.from({ length: topics }, () => new Set<(at: number) => void>());
  let turn = 0;
  setInterval(() => {
    turn = (turn + 1) % topics;
    for (const listener of listeners[turn] ?? []) listener(Date.now());
  }, EVERY_MS);

  const resolvers = {
    Query: { topics: () => topics },
    Subscription: {
      tick: {
        subscribe(_: unknown, { topic }: { topic: number }, { signal }: Scope) {
          const queue = pushQueue<number>(signal);
          listeners[topic % topics]?.add(queue.push);
          queue.onEnd(() => listeners[topic % topics]?.delete(queue.push));
          return queue.items;
        },
        resolve: (at: number) => ({ at, product: { upc: '1' } }),
      },
    },
  };
  return buildSubgraphSchema([{ typeDefs: parse(ticksTypeDefs), resolvers: resolvers as never }]);
}
