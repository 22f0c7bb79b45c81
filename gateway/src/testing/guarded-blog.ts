import { buildSubgraphSchema, type GraphQLSchemaModule } from '@apollo/subgraph';
import { defaultFieldResolver, isObjectType, parse, type GraphQLSchema } from 'graphql';

import { compose } from '../supergraph/compose.ts';

type Resolvers = NonNullable<GraphQLSchemaModule['resolvers']>;

const link = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.9",
  import: ["@key", "@external", "@requires", "@shareable", "@authenticated", "@requiresScopes", "@policy"])`;

const people = `${link}
  scalar Secret @authenticated
  enum Status @policy(policies: [["friend"]]) { HAPPY SAD }
  type Query { everybody: [User!], user(id: ID!): User, staff: [User!] @requiresScopes(scopes: [["read:staff"], ["admin"]]), ledger: Ledger }
  type Mutation { rename(id: ID!, name: String!): User, close(id: ID!): User @authenticated }
  type Subscription { renamed: User, closed: User @authenticated }
  type User @key(fields: "id") {
    id: ID! name: String! friends: [User!]!
    email: String @authenticated
    notes: String! @authenticated
    salary: Int @requiresScopes(scopes: [["hr", "read:salary"], ["admin"]])
    badge: Secret
    status: Status
  }
  type Ledger @key(fields: "no") { no: ID! @authenticated total: Int }
`;

const blog = `${link}
  type Query { posts: [Post!], feed: [Item!], draft: Draft, vault: [Vault!] }
  interface Post { id: ID! title: String secret: String author: User }
  type PublicPost implements Post { id: ID! title: String secret: String @requiresScopes(scopes: [["read:secrets"]]) author: User }
  type PrivatePost implements Post @authenticated { id: ID! title: String secret: String author: User }
  type Advert { text: String }
  union Item = PublicPost | PrivatePost | Advert
  interface Vault { gold: Int }
  type SmallVault implements Vault @authenticated { gold: Int }
  type LargeVault implements Vault @requiresScopes(scopes: [["admin"]]) { gold: Int }
  type Draft @policy(policies: [["author", "adult"], ["editor"]]) { text: String }
  type User @key(fields: "id") {
    id: ID! email: String @external
    posts: [Post!]!
    fans: Int @policy(policies: [["friend"]])
    greeting: String @authenticated @requires(fields: "email")
  }
  type Ledger @key(fields: "no") { no: ID! lines: [String!]! }
`;

/** What a caller without claims may not see, by its coordinates; `PrivatePost.*` stands for all its fields. */
export const guarded = new Set([
  'Query.staff',
  'Query.draft',
  'Mutation.close',
  'Subscription.closed',
  'User.email',
  'User.notes',
  'User.salary',
  'User.badge',
  'User.status',
  'User.fans',
  'User.greeting',
  'PublicPost.secret',
  'PrivatePost.*',
  'SmallVault.*',
  'LargeVault.*',
  'Draft.*',
]);

const user = (id: string) => ({
  __typename: 'User',
  id,
  name: `name ${id}`,
  email: `${id}@example.com`,
  notes: `notes of ${id}`,
  salary: 5_000,
  badge: `badge ${id}`,
  status: 'HAPPY',
  friends: () => [user('2'), user('3')],
});
const publicPost = (id: string) => ({ __typename: 'PublicPost', id, title: `public ${id}`, secret: `secret ${id}` });
const privatePost = (id: string) => ({ __typename: 'PrivatePost', id, title: `private ${id}`, secret: `secret ${id}` });
const author = () => ({ __typename: 'User', id: '1' });

const vaults = [
  { __typename: 'SmallVault', gold: 1 },
  { __typename: 'LargeVault', gold: 1_000 },
];

const subscribed = (name: string, begin: () => Promise<void>) => ({
  async *subscribe() {
    await begin();
    yield { [name]: user('1') };
    yield { [name]: user('2') };
  },
});

/** @param begin called when a stream is opened; its events come afterwards */
const ofPeople = (begin: () => Promise<void>) => ({
  Query: {
    everybody: () => [user('1'), user('2')],
    user: (_: unknown, { id }: { id: string }) => user(id),
    staff: () => [user('1')],
    ledger: () => ({ no: 'L1', total: 3 }),
  },
  Mutation: {
    rename: (_: unknown, { id, name }: { id: string; name: string }) => ({ ...user(id), name }),
    close: (_: unknown, { id }: { id: string }) => user(id),
  },
  Subscription: { renamed: subscribed('renamed', begin), closed: subscribed('closed', begin) },
  User: { __resolveReference: ({ id }: { id: string }) => user(id) },
  Ledger: { __resolveReference: ({ no }: { no: string }) => ({ no, total: 3 }) },
});

const ofBlog = {
  Query: {
    posts: () => [publicPost('1'), privatePost('2')],
    feed: () => [publicPost('1'), privatePost('2'), { __typename: 'Advert', text: 'buy' }],
    draft: () => ({ text: 'draft' }),
    vault: () => vaults,
  },
  PublicPost: { author },
  PrivatePost: { author },
  User: {
    __resolveReference: (given: object) => given,
    posts: () => [publicPost('1'), privatePost('2')],
    fans: () => 7,
    greeting: ({ email }: { email?: string }) => `hello ${email}`,
  },
  Ledger: { __resolveReference: (given: object) => given, lines: () => ['a', 'b'] },
};

/** Adds the coordinates of each field that is resolved to `resolved`. */
function recorded(schema: GraphQLSchema, resolved: string[]): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('_')) continue;
    for (const field of Object.values(type.getFields())) {
      const resolve = field.resolve ?? defaultFieldResolver;
      field.resolve = (...args) => {
        resolved.push(`${type.name}.${field.name}`);
        return resolve(...args);
      };
    }
  }
  return schema;
}

/**
 * Two subgraphs with authorization directives on fields, types, scalars, enums, members of interfaces and unions.
 *
 * @param begin called when a stream is opened; its events come afterwards
 */
export function guardedBlog(begin = async () => {}) {
  /** The coordinates of each field that a subgraph has resolved. */
  const resolved: string[] = [];
  const schemaOf = (typeDefs: string, resolvers: object) =>
    recorded(buildSubgraphSchema([{ typeDefs: parse(typeDefs), resolvers: resolvers as Resolvers }]), resolved);
  const service = (name: string, typeDefs: string) => ({ name, url: 'http://nowhere.test', typeDefs });
  return {
    supergraphSdl: compose([service('people', people), service('blog', blog)]).supergraphSdl,
    schemas: { people: schemaOf(people, ofPeople(begin)), blog: schemaOf(blog, ofBlog) },
    resolved,
  };
}
