/** Shapes of federation, each on the smallest subgraphs that have it: what docs/federation.md says is supported. */
import { describe, expect, it } from 'vitest';

import { askSmallGateway, type SmallSubgraph } from '../testing/small-gateway.ts';

const byReference = { __resolveReference: (reference: object) => reference };

describe('where a field comes from', () => {
  it('is the subgraph that overrides it', async () => {
    const ask = await askSmallGateway({
      old: {
        typeDefs: 'type Query { bill: Bill } type Bill @key(fields: "no") { no: ID! total: Int }',
        resolvers: { Query: { bill: () => ({ no: '1' }) }, Bill: { ...byReference, total: () => 1 } },
      },
      next: {
        typeDefs: 'type Bill @key(fields: "no") { no: ID! total: Int @override(from: "old") }',
        resolvers: { Bill: { ...byReference, total: () => 2 } },
      },
    });

    expect(await ask('{ bill { total } }')).toEqual({ data: { bill: { total: 2 } } });
  });

  it('is the subgraph that provides it on this path, also of a union', async () => {
    const owner = (type: string) => ({ ...byReference, name: () => `${type} of the owner` });
    const ask = await askSmallGateway({
      pets: {
        typeDefs: `type Cat @key(fields: "id") { id: ID! name: String @shareable } type Dog @key(fields: "id") { id: ID! name: String }`,
        resolvers: { Cat: owner('cat'), Dog: owner('dog') },
      },
      vets: {
        typeDefs: `
          type Query { patient: Pet @provides(fields: "... on Cat { name }") visitor: Pet }
          union Pet = Cat | Dog
          type Cat @key(fields: "id") { id: ID! name: String @external }
          type Dog @key(fields: "id") { id: ID! }`,
        resolvers: {
          Query: {
            patient: () => ({ __typename: 'Cat', id: '1', name: 'cat of the vet' }),
            visitor: () => ({ __typename: 'Dog', id: '2' }),
          },
        },
      },
    });

    const { data } = await ask(`{
      patient { ... on Cat { name } ... on Dog { name } }
      visitor { ... on Cat { name } ... on Dog { name } }
    }`);
    expect(data).toEqual({ patient: { name: 'cat of the vet' }, visitor: { name: 'dog of the owner' } });
  });

  it('may be two subgraphs, for a root field and a type that they share', async () => {
    const shared = (field: string): SmallSubgraph => ({
      typeDefs: `type Query { today: Day @shareable } type Day { ${field}: String }`,
      resolvers: { Query: { today: () => ({ [field]: `the ${field}` }) } },
    });
    const ask = await askSmallGateway({ one: shared('sunrise'), two: shared('sunset') });

    const { data } = await ask('{ today { sunrise sunset } }');
    expect(data).toEqual({ today: { sunrise: 'the sunrise', sunset: 'the sunset' } });
  });
});

describe('an entity', () => {
  it('is reached by way of a third subgraph, when two know no key in common', async () => {
    const ask = await askSmallGateway({
      payroll: {
        typeDefs: 'type Query { payee: Person } type Person @key(fields: "taxNo") { taxNo: ID! }',
        resolvers: { Query: { payee: () => ({ taxNo: 'T9' }) } },
      },
      register: {
        typeDefs: 'type Person @key(fields: "taxNo") @key(fields: "email") { taxNo: ID! email: ID! }',
        resolvers: { Person: { __resolveReference: () => ({ taxNo: 'T9', email: 'siti@acme.test' }) } },
      },
      mail: {
        typeDefs: 'type Person @key(fields: "email") { email: ID! unread: Int }',
        resolvers: { Person: { ...byReference, unread: ({ email }: { email: string }) => email.length } },
      },
    });

    expect(await ask('{ payee { unread } }')).toEqual({ data: { payee: { unread: 14 } } });
  });

  it('has null for what its owner would add, when it has no key there', async () => {
    const ask = await askSmallGateway({
      shelf: {
        typeDefs: `
          type Query { books: [Book!]! }
          type Book @key(fields: "id") @key(fields: "isbn") { id: ID! isbn: ID }`,
        resolvers: {
          Query: {
            books: () => [
              { id: '1', isbn: '978' },
              { id: '2', isbn: null },
            ],
          },
        },
      },
      press: {
        typeDefs: 'type Book @key(fields: "isbn") { isbn: ID title: String }',
        resolvers: {
          Book: { __resolveReference: ({ isbn }: { isbn: string | null }) => (isbn ? { isbn, title: 'Sand' } : null) },
        },
      },
    });

    expect(await ask('{ books { id title } }')).toEqual({
      data: {
        books: [
          { id: '1', title: 'Sand' },
          { id: '2', title: null },
        ],
      },
    });
  });
});

describe('a field that requires others', () => {
  const trips: SmallSubgraph = {
    typeDefs: `
      type Query { trip: Trip }
      type Trip @key(fields: "id") { id: ID! legs: [Leg!]! distance: Int @external far: Boolean @requires(fields: "distance") }
      type Leg { km: Int! }`,
    resolvers: {
      Query: { trip: () => ({ id: '1' }) },
      Trip: {
        ...byReference,
        legs: () => [{ km: 3 }, { km: 4 }],
        far: ({ distance }: { distance: number }) => distance > 5,
      },
    },
  };
  const maps: SmallSubgraph = {
    typeDefs: `
      type Trip @key(fields: "id") { id: ID! legs: [Leg!]! @external distance: Int @requires(fields: "legs { km }") }
      type Leg { km: Int! @external }`,
    resolvers: {
      Trip: {
        ...byReference,
        distance: ({ legs }: { legs: { km: number }[] }) => legs.reduce((sum, { km }) => sum + km, 0),
      },
    },
  };

  it('gets them there and back between two subgraphs, and of each entry of a list', async () => {
    const ask = await askSmallGateway({ trips, maps });

    expect(await ask('{ trip { far } }')).toEqual({ data: { trip: { far: true } } });
  });

  it('may be of an interface object, and require what each type has of its own', async () => {
    const ask = await askSmallGateway({
      stock: {
        typeDefs: `
          type Query { goods: [Good!]! }
          interface Good @key(fields: "id") { id: ID! grams: Int }
          type Tea implements Good @key(fields: "id") { id: ID! grams: Int }
          type Cup implements Good @key(fields: "id") { id: ID! grams: Int handle: Boolean }`,
        resolvers: {
          Query: {
            goods: () => [
              { __typename: 'Tea', id: '1', grams: 100 },
              { __typename: 'Cup', id: '2', grams: 300, handle: true },
            ],
          },
        },
      },
      post: {
        typeDefs: `
          type Good @key(fields: "id") @interfaceObject {
            id: ID! grams: Int @external postage: Int @requires(fields: "grams")
          }`,
        resolvers: { Good: { ...byReference, postage: ({ grams }: { grams: number }) => grams / 10 } },
      },
    });

    expect(await ask('{ goods { __typename postage ... on Cup { handle } } }')).toEqual({
      data: {
        goods: [
          { __typename: 'Tea', postage: 10 },
          { __typename: 'Cup', postage: 30, handle: true },
        ],
      },
    });
  });
});

describe('a union whose members differ between subgraphs', () => {
  it('is resolved as each subgraph knows it', async () => {
    const ask = await askSmallGateway({
      films: {
        typeDefs: `
          type Query { hit: Work @shareable }
          union Work = Film | Song
          type Film { title: String } type Song @shareable { tune: String }`,
        resolvers: { Query: { hit: () => ({ __typename: 'Song', tune: 'Rasa Sayang' }) } },
      },
      songs: {
        typeDefs: `
          type Query { hit: Work @shareable chart: [Work!]! }
          union Work = Song | Poem
          type Song @shareable { tune: String } type Poem { verse: String }`,
        resolvers: {
          Query: {
            hit: () => ({ __typename: 'Song', tune: 'Rasa Sayang' }),
            chart: () => [{ __typename: 'Poem', verse: 'i' }],
          },
        },
      },
    });

    expect(
      await ask('{ hit { ... on Film { title } ... on Song { tune } } chart { __typename ... on Poem { verse } } }'),
    ).toEqual({ data: { hit: { tune: 'Rasa Sayang' }, chart: [{ __typename: 'Poem', verse: 'i' }] } });
  });
});

describe('mutations in several subgraphs', () => {
  it('run one after the other, in the order of the document', async () => {
    const done: string[] = [];
    const subgraph = (name: string): SmallSubgraph => ({
      typeDefs: `type Query { ${name}Done: Int } type Mutation { ${name}(at: Int!): Int }`,
      resolvers: {
        Mutation: {
          [name]: async (_: unknown, { at }: { at: number }) => {
            await Promise.resolve();
            done.push(`${name} ${at}`);
            return at;
          },
        },
      },
    });
    const ask = await askSmallGateway({ a: subgraph('add'), b: subgraph('mail') });

    const { data } = await ask('mutation { one: add(at: 1) two: mail(at: 2) three: add(at: 3) }');
    expect(data).toEqual({ one: 1, two: 2, three: 3 });
    const inOrder = ['add 1', 'mail 2', 'add 3'];
    expect(done).toEqual([...inOrder, ...inOrder]); // of both executors
  });
});

describe('versions', () => {
  const spec = (version: string, ...names: string[]) =>
    `extend schema @link(url: "https://specs.apollo.dev/federation/${version}", import: ${JSON.stringify(names)})`;
  const name = { resolvers: { Query: { user: () => ({ id: '1' }) }, User: { ...byReference, name: () => 'Siti' } } };
  const age = { resolvers: { User: { ...byReference, age: () => 40 } } };

  it.each([
    [
      '1',
      '2.0',
      'extend type User @key(fields: "id") { id: ID! @external name: String } extend type Query { user: User }',
    ],
    [
      '2.0',
      '2.14',
      `${spec('v2.0', '@key')} type Query { user: User } type User @key(fields: "id") { id: ID! name: String }`,
    ],
  ])('%s and %s go together', async (older, newer, typeDefs) => {
    const ask = await askSmallGateway({
      older: { ...name, typeDefs, first: older === '1' },
      newer: { ...age, typeDefs: `${spec(`v${newer}`, '@key')} type User @key(fields: "id") { id: ID! age: Int }` },
    });

    expect(await ask('{ user { name age } }')).toEqual({ data: { user: { name: 'Siti', age: 40 } } });
  });

  it('may have tags and directives of their own, which change no answer', async () => {
    const ask = await askSmallGateway({
      user: {
        ...name,
        typeDefs: `${spec('v2.9', '@key', '@tag', '@composeDirective')}
          @link(url: "https://acme.test/owner/v1.0", import: ["@owner"]) @composeDirective(name: "@owner")
          directive @owner(team: String!) on FIELD_DEFINITION
          type Query { user: User @tag(name: "people") }
          type User @key(fields: "id") { id: ID! name: String @owner(team: "people") }`,
      },
    });

    expect(await ask('{ user { name } }')).toEqual({ data: { user: { name: 'Siti' } } });
  });
});
