import { beforeEach, expect, it } from 'vitest';

import { askSmallGateway, type Ask } from '../testing/small-gateway.ts';

let paid = 0;
const pay = () => {
  paid += 1;
  return { id: '1', amount: 7 };
};
let ask: Ask;

beforeEach(async () => {
  ask = await askSmallGateway({
    shop: {
      typeDefs: `
        type Query { order: Order }
        type Mutation { pay(no: ID): Order }
        type Order @key(fields: "id") { id: ID! amount: Int }`,
      resolvers: { Mutation: { pay } },
    },
    mails: {
      typeDefs: `
        type Mutation { remind: String }
        type Order @key(fields: "id") { id: ID! mail: String }`,
      resolvers: {
        Mutation: { remind: () => 'done' },
        Order: { __resolveReference: (order: object) => order, mail: ({ id }: { id: string }) => `mail ${id}` },
      },
    },
  });
  paid = 0;
});

it.each([
  'mutation ($on: Boolean!) { pay { id } remind ... @include(if: $on) { pay { mail } } }',
  'mutation ($on: Boolean!) { pay @include(if: $on) { id } remind pay { mail } }',
  'mutation ($on: Boolean!) { pay { id } remind ...F @skip(if: $on) } fragment F on Mutation { pay { amount } }',
])('a change that would be made twice is refused, and not made: %s', async (query) => {
  const { data, errors } = await ask(query, { on: true });

  expect([data, errors]).toEqual([undefined, [expect.objectContaining({ message: expect.stringContaining('pay') })]]);
  expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', reason: 'REPEATED_CHANGE' });
  expect(paid).toBe(0);
});

/** Each query is asked by both executors. */
const EXECUTORS = 2;

it.each([
  ['next to each other', 'mutation ($on: Boolean!) { pay { id } ... @include(if: $on) { pay { mail } } remind }', 1],
  ['under no condition', 'mutation ($on: Boolean!) { pay { id } remind @include(if: $on) pay { mail } }', 1],
  ['on fields within it', 'mutation ($on: Boolean!) { pay { id mail @include(if: $on) } remind }', 1],
  [
    'that exclude each other',
    'mutation ($on: Boolean!) { pay @include(if: $on) { id } remind pay @skip(if: $on) { mail } }',
    1,
  ],
  [
    'nowhere, and the name of the type in each fragment',
    'mutation { ...P ...R } fragment P on Mutation { __typename pay { id } } fragment R on Mutation { __typename remind }',
    1,
  ],
  ['under two names', 'mutation ($on: Boolean!) { pay { id } remind @include(if: $on) again: pay { mail } }', 2],
])('a change is made as often as it is asked for, with conditions %s', async (_where, query, times) => {
  const { errors } = await ask(query, { on: true });

  expect(errors).toBeUndefined();
  expect(paid).toBe(times * EXECUTORS);
});
