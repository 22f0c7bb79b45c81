import { pushQueue } from '@foyer/shared/graphql/push-queue';
import { buildSubgraphSchema, type GraphQLSchemaModule } from '@apollo/subgraph';
import { parse, type ExecutionResult, type GraphQLSchema } from 'graphql';

import { compose } from '../supergraph/compose.ts';

const link = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.9",
  import: ["@key", "@external", "@requires", "@provides", "@shareable", "@inaccessible", "@interfaceObject", "@override"])`;

const typeDefs: Record<string, string> = {
  products: `${link}
    type Query { products: [Product!]! product(upc: ID!): Product thing(upc: ID!): Thing things: [Thing] first: Book! none: Product maybe: [Product] }
    interface Product @key(fields: "upc") { upc: ID! title: String price: Int }
    type Book implements Product @key(fields: "upc") { upc: ID! title: String price: Int pages: Int shape: Shape }
    type Toy implements Product @key(fields: "upc") { upc: ID! title: String price: Int ages: [Int!] secret: Int @inaccessible shape: Shape }
    type Hidden @inaccessible { id: ID! }
    union Thing = Book | Toy | Hidden
    enum Shape { ROUND FLAT ODD @inaccessible }
  `,
  reviews: `${link}
    type Query { lastReview: Review }
    type Subscription { reviewed: Review reviewCount: Int! }
    type Product @key(fields: "upc") @interfaceObject { upc: ID! reviews: [Review!]! rating: Float }
    type Review @key(fields: "id") { id: ID! stars: Int! body(short: Boolean = false): String author: User! product: Product }
    type User @key(fields: "id") { id: ID! name: String @external greeting: String @requires(fields: "name") reviews: [Review!]! }
  `,
  users: `${link}
    type Query { me: User users(ids: [ID!]): [User]! }
    type Mutation { befriend(id: ID!): User }
    type User @key(fields: "id") { id: ID! name: String strict: String! failing: String friend: User friends: [[User!]!] meta: Meta }
    scalar Meta
  `,
};

const books = [
  { __typename: 'Book', upc: '1', title: 'Sand', price: 10, pages: 90, shape: 'FLAT' },
  { __typename: 'Toy', upc: '2', title: null, price: null, ages: [1, 2], secret: 7, shape: 'ODD' },
  { __typename: 'Book', upc: '3', title: 'Wind', price: 30, pages: null, shape: null },
];
const reviews = ['1', '2', '3', '4'].map((id) => ({
  id,
  stars: Number(id),
  author: { id: id === '4' ? '2' : '1' },
  product: { upc: id === '4' ? '9' : id },
}));
const user = (id: string) => (id === '1' || id === '2' ? { id } : null);

const watchers = new Set<ReturnType<typeof pushQueue<object>>>();
let told = 0;

const resolvers: Record<string, unknown> = {
  products: {
    Query: {
      products: () => books,
      product: (_: unknown, { upc }: { upc: string }) => books.find((book) => book.upc === upc) ?? null,
      thing: (_: unknown, { upc }: { upc: string }) =>
        upc === 'hidden' ? { __typename: 'Hidden', id: '1' } : (books.find((book) => book.upc === upc) ?? null),
      things: () => [books[0], null, { __typename: 'Hidden', id: '1' }, books[1]],
      first: () => books[0],
      none: () => null,
      maybe: () => [books[1], null, books[2]],
    },
    Product: { __resolveReference: ({ upc }: { upc: string }) => books.find((book) => book.upc === upc) ?? null },
    Book: { __resolveReference: ({ upc }: { upc: string }) => books.find((book) => book.upc === upc) ?? null },
    Toy: { __resolveReference: ({ upc }: { upc: string }) => books.find((book) => book.upc === upc) ?? null },
  },
  reviews: {
    Query: { lastReview: () => reviews[3] },
    Subscription: {
      reviewed: {
        subscribe() {
          const queue = pushQueue<object>(new AbortController().signal);
          watchers.add(queue);
          queue.onEnd(() => watchers.delete(queue));
          return queue.items;
        },
        resolve(event: object) {
          told += 1;
          return { ...reviews[0], ...event };
        },
      },
      /** Begins with the current state. */
      reviewCount: {
        subscribe() {
          const queue = pushQueue<object>(new AbortController().signal);
          watchers.add(queue);
          queue.onEnd(() => watchers.delete(queue));
          queue.push({});
          return queue.items;
        },
        resolve: () => reviews.length,
      },
    },
    Product: {
      __resolveReference: ({ upc }: { upc: string }) => ({ upc }),
      reviews: ({ upc }: { upc: string }) => reviews.filter(({ id }) => upc === '1' || id === upc),
      rating: ({ upc }: { upc: string }) => (upc === '2' ? null : 4.5),
    },
    Review: {
      __resolveReference: ({ id }: { id: string }) => reviews.find((review) => review.id === id) ?? null,
      body: ({ id }: { id: string }, { short }: { short: boolean }) => (short ? id : `review ${id}`),
    },
    User: {
      __resolveReference: (found: object) => found,
      greeting: ({ name }: { name: string }) => `Hello ${name}`,
      reviews: ({ id }: { id: string }) => reviews.filter(({ author }) => author.id === id),
    },
  },
  users: {
    Query: {
      me: () => user('1'),
      users: (_: unknown, { ids }: { ids?: string[] }) => (ids ?? ['1', '7', '2']).map(user),
    },
    Mutation: { befriend: (_: unknown, { id }: { id: string }) => user(id) },
    User: {
      __resolveReference: ({ id }: { id: string }) => user(id),
      name: ({ id }: { id: string }) => (id === '1' ? 'Aminah' : 'Bala'),
      strict: ({ id }: { id: string }) => (id === '1' ? 'yes' : null),
      failing: () => {
        throw new Error('failed on purpose');
      },
      friend: ({ id }: { id: string }) => user(id === '1' ? '2' : '1'),
      friends: () => [[user('1'), user('2')], []],
      meta: () => ({ toJSON: undefined, any: { thing: [1, null] } }),
    },
  },
};

const services = Object.entries(typeDefs).map(([name, text]) => ({ name, url: 'http://nowhere.test', typeDefs: text }));

/** Their supergraph with other addresses, and maybe without something. */
export const supergraphAt = (urls: Readonly<Record<string, string>>, { without = '' } = {}) =>
  compose(
    services.map(({ name, url, typeDefs: text }) => ({
      name,
      url: urls[name] ?? url,
      typeDefs: without ? text.replace(without, '') : text,
    })),
  ).supergraphSdl;

/** Three subgraphs with the difficult cases: interface objects, unions, hidden types, nulls, errors, nested lists. */
export const shops = {
  /** How many event streams are open. */
  watchers: () => watchers.size,
  /** How many events were handed to subscribers in all. */
  told: () => told,
  /** Makes an event: the first review, or what is said of it. */
  review: (said = {}) => watchers.forEach(({ push }) => push(said)),
  /** Makes one last event: the streams end with it. */
  reviewForTheLastTime: () =>
    watchers.forEach(({ push, end }) => {
      push({});
      end();
    }),
  supergraphSdl: compose(services).supergraphSdl,
  schemas: Object.fromEntries(
    services.map(({ name, typeDefs: text }): [string, GraphQLSchema] => [
      name,
      buildSubgraphSchema([
        { typeDefs: parse(text), resolvers: resolvers[name] as NonNullable<GraphQLSchemaModule['resolvers']> },
      ]),
    ]),
  ),
};

const all = `upc title price reviews { id stars body author { id name greeting } } rating`;

/** Operations, each with its name. */
export const operations: [what: string, query: string, variables?: Record<string, unknown>][] = [
  ['a field', '{ me { name } }'],
  ['everything of an interface object', `{ products { __typename ${all} ... on Book { pages } ... on Toy { ages } } }`],
  ['types under aliases', '{ kind: __typename products { what: __typename again: __typename n: title } }'],
  ['fields twice, with more each time', '{ me { name } me { id friend { id } } me { friend { name } } }'],
  [
    'fragments in fragments',
    '{ products { ...A } } fragment A on Product { upc ...B } fragment B on Book { pages shape reviews { stars } }',
  ],
  ['a union with a hidden member', '{ things { __typename ... on Book { title } ... on Toy { title ages } } }'],
  ['a hidden type', '{ thing(upc: "hidden") { __typename ... on Book { title } } me { id } }'],
  ['a hidden enum value', '{ products { upc ... on Toy { shape } ... on Book { shape } } }'],
  ['nothing', '{ none { upc reviews { id } } me { id } }'],
  ['lists with gaps', '{ maybe { upc reviews { id author { name } } } users { name greeting reviews { stars } } }'],
  ['lists in lists', '{ me { friends { name greeting reviews { id } } } }'],
  ['a null where none may be', '{ users(ids: ["1", "2"]) { id strict } }'],
  ['a null where none may be, further in', '{ lastReview { author { strict } } me { name } }'],
  ['errors in entities', '{ products { upc reviews { author { failing name } } } }'],
  ['errors at the root of a fetch', '{ me { failing friend { failing } } }'],
  ['requirements and back again', '{ me { greeting reviews { product { title reviews { author { greeting } } } } } }'],
  ['an entity that its owner does not know', '{ lastReview { product { upc title price rating } } }'],
  ['a scalar of any form', '{ me { meta } }'],
  [
    'an alias for everything',
    '{ a: products { b: upc c: reviews { d: body(short: true) e: body f: author { g: name } } } }',
  ],
  ['names of prototypes', '{ constructor: me { toString: name hasOwnProperty: id } }'],
  ['the name of the prototype', '{ __proto__: me { __proto__: name id } }'],
  ['the schema', '{ __type(name: "Book") { name fields { name } } me { name } }'],
  [
    'the schema, by a variable',
    'query ($name: String!) { them: __type(name: $name) { kind enumValues { name } } me { id } }',
    { name: 'Shape' },
  ],
  [
    'conditions',
    'query ($yes: Boolean!, $no: Boolean = false) { me { id @include(if: $yes) name @skip(if: $yes) friend @include(if: $no) { id } } products @skip(if: $no) { upc reviews @include(if: $yes) { id } ... @include(if: $no) { rating } } }',
    { yes: true },
  ],
  [
    'conditions on whole fetches',
    'query ($on: Boolean!) { me { id } products @include(if: $on) { upc reviews { id } } }',
    { on: false },
  ],
  [
    'variables',
    'query ($ids: [ID!], $short: Boolean = true) { users(ids: $ids) { name reviews { body(short: $short) } } }',
    { ids: ['2'] },
  ],
  ['a null for a variable', 'query ($ids: [ID!]) { users(ids: $ids) { name } }', { ids: null }],
];

type Spoil = (subgraph: string, answer: ExecutionResult) => ExecutionResult;
const when =
  (name: string, spoil: (answer: ExecutionResult) => ExecutionResult): Spoil =>
  (subgraph, answer) =>
    subgraph === name ? spoil(answer) : answer;
const inText = (from: string, to: string): Spoil =>
  when('users', (answer) => JSON.parse(JSON.stringify(answer).replaceAll(from, to)) as ExecutionResult);

/** The faults of a subgraph. */
export const hostile: [what: string, spoil: Spoil, query: string][] = [
  ['a subgraph answers nothing', when('users', () => ({ data: null })), `{ products { ${all} } }`],
  [
    'a subgraph has only an error',
    when('users', () => JSON.parse('{"errors":[{"message":"no"}]}') as ExecutionResult),
    `{ products { ${all} } }`,
  ],
  [
    'an entity is missing',
    when('users', ({ data }) => ({
      data: { ...data, _entities: ((data?.['_entities'] ?? []) as unknown[]).map(() => null) },
    })),
    `{ products { upc reviews { author { name greeting } } } }`,
  ],
  ['a value is of another type', inText('"Aminah"', '5'), '{ me { id name strict } }'],
  ['a type is not of the schema', inText('"id":"1"', '"id":"1","__typename":"Alien"'), '{ me { id name } }'],
  [
    'a value has a name of the prototype',
    inText('"name":', '"__proto__":{"polluted":true},"name":'),
    '{ me { id name } }',
  ],
];
