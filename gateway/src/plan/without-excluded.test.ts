import { beforeEach, expect, it } from 'vitest';

import { askSmallGateway, type Ask } from '../testing/small-gateway.ts';

const called: string[] = [];
const noting = (name: string) => () => {
  called.push(name);
  return { id: '1' };
};
let ask: Ask;

beforeEach(async () => {
  ask = await askSmallGateway({
    people: {
      typeDefs: `
        type Query { person: Person }
        type Mutation { keep: Person remove: Person }
        type Person @key(fields: "id") { id: ID! }`,
      resolvers: { Query: { person: noting('person') }, Mutation: { keep: noting('keep'), remove: noting('remove') } },
    },
    profiles: {
      typeDefs: 'type Person @key(fields: "id") { id: ID! about: String secret: String }',
      resolvers: {
        Person: { __resolveReference: (person: object) => person, about: () => 'text', secret: noting('secret') },
      },
    },
  });
  called.length = 0;
});

const variables = { on: true };

it.each([
  [
    '@include(if: false)',
    'mutation ($on: Boolean!) { ... @include(if: $on) { keep { id } remove @include(if: false) { id } } }',
  ],
  [
    '@skip(if: true)',
    'mutation ($on: Boolean!) { ... @include(if: $on) { keep { id } remove @skip(if: true) { id } } }',
  ],
  [
    'a fragment',
    'mutation ($on: Boolean!) { ... @include(if: $on) { keep { id } ...F @include(if: false) } } fragment F on Mutation { remove { id } }',
  ],
])('a change that the text of a mutation leaves out is not made, also under a condition: %s', async (_how, query) => {
  expect(await ask(query, variables)).toEqual({ data: { keep: { id: '1' } } });
  expect(new Set(called)).toEqual(new Set(['keep']));
});

it('a field of an entity that the text leaves out is not asked for, also under a condition', async () => {
  const query = 'query ($on: Boolean!) { person @include(if: $on) { about secret @skip(if: true) } }';

  expect(await ask(query, variables)).toEqual({ data: { person: { about: 'text' } } });
  expect(called).not.toContain('secret');
});

it.each([
  ['{ person { id @skip(if: true) } }', { person: {} }],
  ['{ person @skip(if: true) { id } }', {}],
  ['{ person { ... @include(if: false) { id } about } }', { person: { about: 'text' } }],
])('what is left is answered: %s', async (query, data) => {
  expect(await ask(query)).toEqual({ data });
});
