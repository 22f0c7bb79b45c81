import { buildSubgraphSchema, type GraphQLSchemaModule } from '@apollo/subgraph';
import { parse, type GraphQLSchema } from 'graphql';

import { compose } from '../supergraph/compose.ts';

const link = `extend schema
  @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@interfaceObject", "@shareable"])`;

/** The shape of `simple-interface-object` in the public federation audit: only `a` knows the types of accounts. */
const typeDefs: Record<string, string> = {
  a: `${link}
    type Query { users: [NodeWithName!]! }
    interface NodeWithName @key(fields: "id") { id: ID! name: String }
    type User implements NodeWithName @key(fields: "id") { id: ID! name: String age: Int }
    type Guest implements NodeWithName @key(fields: "id") { id: ID! name: String visits: Int }
    interface Account @key(fields: "id") { id: ID! }
    type Admin implements Account @key(fields: "id") { id: ID! isMain: Boolean! isActive: Boolean! @shareable }
    type Regular implements Account @key(fields: "id") { id: ID! isMain: Boolean! }
  `,
  b: `${link}
    type Query { anotherUsers: [NodeWithName] accounts: [Account] }
    type Account @key(fields: "id") @interfaceObject { id: ID! name: String! owner: NodeWithName }
    type NodeWithName @key(fields: "id") @interfaceObject { id: ID! username: String }
  `,
  c: `${link}
    type Account @key(fields: "id") @interfaceObject { id: ID! isActive: Boolean! @shareable visits: Int! }
    type Query { notes: [Note!]! }
    type Note @key(fields: "id") { id: ID! about: Account }
  `,
};

interface Key {
  id: string;
}

const users = [
  { __typename: 'User', id: 'u1', name: 'u1-name', age: 11 },
  { __typename: 'Guest', id: 'u2', name: 'u2-name', visits: 0 },
];
const accounts = [
  { __typename: 'Admin', id: 'a1', isMain: false, isActive: true },
  { __typename: 'Admin', id: 'a2', isMain: true, isActive: false },
  { __typename: 'Regular', id: 'a3', isMain: true },
];
const byId =
  <Row extends Key>(rows: readonly Row[]) =>
  ({ id }: Key) =>
    rows.find((row) => row.id === id) ?? null;
const note = ({ id }: Key) => ({ id: `n-${id}` });
const account = { __resolveReference: byId(accounts) };
const user = { __resolveReference: byId(users) };
const keysOf = (rows: readonly Key[]) => rows.map(({ id }) => ({ id }));

const resolvers: Record<string, unknown> = {
  a: {
    Query: { users: () => users },
    Account: account,
    Admin: account,
    Regular: account,
    NodeWithName: user,
    User: user,
    Guest: user,
  },
  b: {
    Query: { anotherUsers: () => keysOf(users), accounts: () => keysOf(accounts) },
    Account: {
      __resolveReference: ({ id }: Key) => ({ id }),
      name: ({ id }: Key) => `${id}-name`,
      owner: ({ id }: Key) => (id === 'a2' ? null : { id: 'u1' }),
    },
    NodeWithName: {
      __resolveReference: ({ id }: Key) => ({ id }),
      username: ({ id }: Key) => `${id}-username`,
    },
  },
  c: {
    Query: { notes: () => accounts.map(note) },
    Account: {
      __resolveReference: ({ id }: Key) => ({ id }),
      isActive: ({ id }: Key) => id === 'a1',
      visits: ({ id }: Key) => (id === 'a1' ? 0 : 3),
    },
    Note: {
      __resolveReference: ({ id }: Key) => ({ id }),
      about: ({ id }: Key) => ({ id: id.replace('n-', '') }),
    },
  },
};

/** Three subgraphs, two of which have interfaces of the first as objects, and so don't know the types of what they return. */
export const accountsSupergraph = {
  supergraphSdl: compose(
    Object.entries(typeDefs).map(([name, text]) => ({ name, url: 'http://nowhere.test', typeDefs: text })),
  ).supergraphSdl,
  schemas: Object.fromEntries(
    Object.entries(typeDefs).map(([name, text]): [string, GraphQLSchema] => [
      name,
      buildSubgraphSchema([
        { typeDefs: parse(text), resolvers: resolvers[name] as NonNullable<GraphQLSchemaModule['resolvers']> },
      ]),
    ]),
  ),
};
