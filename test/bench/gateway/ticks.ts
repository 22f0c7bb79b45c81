/** A fifth subgraph, for subscriptions: events at an interval, one topic after the other, or whenever one is published. */
import { buildSubgraphSchema } from '@apollo/subgraph';
import { pushQueue } from '@foyer/shared/graphql/push-queue';
import { parse } from 'graphql';

export const ticksTypeDefs = `
  extend type Query { topics: Int }
  extend type Mutation { publish(topic: Int!): Boolean }
  type Subscription { tick(topic: Int!): Tick }
  type Tick { "When it was sent, in milliseconds." at: Float! product: Product }
  extend type Product @key(fields: "upc") { upc: String! @external }
`;

interface Scope {
  signal: AbortSignal;
}

/**
 * @param topics how many
 * @param everyMs the interval; 0 for none
 */
export function ticksSchema(topics: number, everyMs: number) {
  const listeners = Array.from({ length: topics }, () => new Set<(at: number) => void>());
  let turn = 0;

  function publish(topic: number) {
    for (const listener of listeners[topic % topics] ?? []) listener(Date.now());
    return true;
  }
  if (everyMs > 0) setInterval(() => publish((turn += 1)), everyMs);

  const resolvers = {
    Query: { topics: () => topics },
    Mutation: { publish: (_: unknown, { topic }: { topic: number }) => publish(topic) },
    Subscription: {
      tick: {
        subscribe(_: unknown, { topic }: { topic: number }, { signal }: Partial<Scope>) {
          const queue = pushQueue<number>(signal ?? new AbortController().signal);
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
