/** What a client names after a key, or after a field that another requires: it must not get in the way of the plan. */
import { Kind, parse, validate, visit, type DocumentNode } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';

import { executors } from '../testing/executors.ts';
import { randomQuery } from '../testing/random-query.ts';
import { shops } from '../testing/shops.ts';
import { askSmallGateway, type Ask, type SmallSubgraph } from '../testing/small-gateway.ts';

interface Person {
  id: string;
  region?: string;
}

const people: SmallSubgraph = {
  typeDefs: `
    type Query { me: Person friends: [Being] }
    interface Being { id: ID! }
    type Person implements Being @key(fields: "id") { id: ID! name: String failing: String }
    type Robot implements Being { id: ID! }`,
  resolvers: {
    Query: {
      me: () => ({ id: '1' }),
      friends: () => [
        { __typename: 'Person', id: '1' },
        { __typename: 'Robot', id: 'r2' },
      ],
    },
    Person: {
      __resolveReference: (person: Person) => person,
      name: () => 'Aminah',
      failing: () => {
        throw new Error('failed on purpose');
      },
    },
  },
};

/** The text is the person's own: it names somebody else. */
const profiles: SmallSubgraph = {
  typeDefs: 'type Person @key(fields: "id") { id: ID! about: String region: String broken: String }',
  resolvers: {
    Person: {
      __resolveReference: (person: Person) => person,
      about: () => '2',
      region: ({ id }: Person) => `region of ${id}`,
      broken: () => {
        throw new Error('broken on purpose');
      },
    },
  },
};

const payroll: SmallSubgraph = {
  typeDefs: `
    type Person @key(fields: "id") {
      id: ID! region: String @external bonus: String salary: String @requires(fields: "region")
    }`,
  resolvers: {
    Person: {
      __resolveReference: (person: Person) => person,
      bonus: ({ id }: Person) => `bonus of ${id}`,
      salary: ({ id, region }: Person) => `salary of ${id} in the ${region}`,
    },
  },
};

let ask: Ask;
beforeAll(async () => void (ask = await askSmallGateway({ people, profiles, payroll })));

const salary = 'salary of 1 in the region of 1';

describe('an alias that is the name of another field', () => {
  it.each([
    ['a key', '{ me { id: about salary } }', { id: '2', salary }],
    ['a key that the same subgraph returns', '{ me { id: name bonus } }', { id: 'Aminah', bonus: 'bonus of 1' }],
    ['a required field', '{ me { region: about salary } }', { region: '2', salary }],
    ['the type name', '{ me { __typename: about salary } }', { __typename: '2', salary }],
    ['a key, and the key that of another', '{ me { id: about about: id salary } }', { id: '2', about: '1', salary }],
    [
      'a key, in fragments',
      '{ me { ...A ... { id: about } } } fragment A on Person { id: about salary }',
      { id: '2', salary },
    ],
    ['a key, for the type name', '{ me { id: __typename salary } }', { id: 'Person', salary }],
    [
      'a name of the plan itself',
      '{ me { _client_id: about id: name salary } }',
      { _client_id: '2', id: 'Aminah', salary },
    ],
  ])('never takes the place of what the plan needs: %s', async (_what, query, me) => {
    expect(await ask(query)).toEqual({ data: { me } });
  });

  it('is that of each type of an abstract one', async () => {
    const { data } = await ask('{ friends { ... on Person { id: salary } ... on Robot { id: __typename } } }');

    expect(data).toEqual({ friends: [{ id: salary }, { id: 'Robot' }] });
  });

  it.each([
    [true, { salary }],
    [false, { id: '2', salary }],
  ])('is left out by a condition: %s', async (left, me) => {
    const { data } = await ask('query ($left: Boolean!) { me { id: about @skip(if: $left) salary } }', { left });

    expect(data).toEqual({ me });
  });

  it.each([
    ['of the first subgraph', '{ me { id: failing bonus } }', ['me', 'id']],
    ['of an entity', '{ id: friends { ... on Person { region: broken } } }', ['id', 0, 'region']],
  ])('is in the path of an error %s', async (_of, query, path) => {
    const { errors } = await ask(query);

    expect(errors).toMatchObject([{ path }]);
  });
});

describe('random queries', () => {
  const { supergraph, ours } = executors(shops);
  const ask = async (document: DocumentNode) => {
    const { data, errors } = await ours(document, {}, (_subgraph, answer) => answer);
    return { data, paths: (errors ?? []).map(({ path = [] }) => path.join('.')).toSorted() };
  };

  /** Gives every field the next of all these names. */
  function renamed(document: DocumentNode) {
    const names = new Set(['id', 'upc', 'name', '__typename', 'title']);
    visit(document, { Field: ({ alias, name }) => void names.add((alias ?? name).value) });
    const all = [...names];
    const nameFor = (given: string) => all[(all.indexOf(given) + 1) % all.length] ?? '';
    const nameBefore = new Map(all.map((given) => [nameFor(given), given]));
    const changed = visit(document, {
      Field: (field) => ({
        ...field,
        alias: { kind: Kind.NAME, value: nameFor((field.alias ?? field.name).value) },
      }),
    });
    return { document: changed, nameBefore: (name: string) => nameBefore.get(name) ?? name };
  }

  it('get the same answer, whatever names the client gives to fields', async () => {
    let compared = 0;
    for (let seed = 1; compared < 40; seed += 1) {
      const query = randomQuery(supergraph.publicSchema, seed);
      const document = parse(query);
      // Some have fields that can't be merged; those of a scalar's own would be renamed, too.
      if (query.length > 500 || query.includes('meta') || validate(supergraph.publicSchema, document).length > 0)
        continue;
      const { document: other, nameBefore } = renamed(document);
      const expected = await ask(document);
      const answer = await ask(other);
      const data = withNames(answer.data, nameBefore);
      const paths = answer.paths.map((path) => path.split('.').map(nameBefore).join('.')).toSorted();
      expect({ query, data, paths }).toEqual({
        query,
        data: withNames(expected.data, (name) => name),
        paths: expected.paths,
      });
      compared += 1;
    }
  });
});

function withNames(data: unknown, nameOf: (name: string) => string): unknown {
  if (Array.isArray(data)) return data.map((item) => withNames(item, nameOf));
  if (typeof data !== 'object' || data === null) return data;
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [nameOf(name), withNames(value, nameOf)]));
}
