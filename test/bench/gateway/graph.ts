/**
 * The graph of the public gateway benchmarks: users, products, reviews and inventory, in memory.
 * Plain SDL and resolvers, so that each gateway builds it with its own graphql package.
 */

/** The SDL of each subgraph, in Federation 1, which every gateway here understands. */
export const typeDefs: Readonly<Record<string, string>> = {
  users: `
    extend type Query { me: User user(id: ID!): User users: [User] }
    type User @key(fields: "id") { id: ID! name: String username: String birthday: Int }
  `,
  products: `
    extend type Query { topProducts(first: Int = 5): [Product] }
    type Product @key(fields: "upc") { upc: String! name: String price: Int weight: Int }
  `,
  reviews: `
    type Review @key(fields: "id") { id: ID! body: String author: User product: Product }
    extend type User @key(fields: "id") { id: ID! @external username: String @external reviews: [Review] }
    extend type Product @key(fields: "upc") { upc: String! @external reviews: [Review] }
  `,
  inventory: `
    extend type Product @key(fields: "upc") {
      upc: String! @external
      weight: Int @external
      price: Int @external
      inStock: Boolean
      shippingEstimate: Int @requires(fields: "price weight")
    }
  `,
};

const users = [
  { id: '1', name: 'Uri Goldshtein', username: 'urigo', birthday: 1_234_567_890 },
  { id: '2', name: 'Dotan Simha', username: 'dotansimha', birthday: 1_234_567_890 },
  { id: '3', name: 'Kamil Kisiela', username: 'kamilkisiela', birthday: 1_234_567_890 },
  { id: '4', name: 'Arda Tanrikulu', username: 'ardatan', birthday: 1_234_567_890 },
  { id: '5', name: 'Gil Gardosh', username: 'gilgardosh', birthday: 1_234_567_890 },
  { id: '6', name: 'Laurin Quast', username: 'laurin', birthday: 1_234_567_890 },
];

const products = [
  ['Table', 899, 100],
  ['Couch', 1_299, 1_000],
  ['Glass', 15, 20],
  ['Chair', 499, 100],
  ['TV', 1_299, 1_000],
  ['Lamp', 6_999, 300],
  ['Grill', 3_999, 2_000],
  ['Fridge', 100_000, 6_000],
  ['Sofa', 9_999, 800],
].map(([name, price, weight], at) => ({ upc: String(at + 1), name, price: Number(price), weight: Number(weight) }));

/** Products beyond these repeat them, each with an id of its own. */
const productOf = (upc: number) => products[upc - 1] ?? { ...products[(upc - 1) % products.length], upc: String(upc) };

const reviews = Array.from({ length: 11 }, (_, at) => ({
  id: String(at + 1),
  body: `Text ${at + 1} of somebody who has thought about what to say of this thing`,
  author: { id: String(at < 8 ? 1 + (at % 2) : 1) },
  product: { upc: String(at < 9 ? at + 1 : (at % 3) + 1) },
}));

interface User {
  id: string;
}
interface Product {
  upc: string;
  price: number;
  weight: number;
}

const reviewsOf = {
  author: Map.groupBy(reviews, ({ author }) => author.id),
  product: Map.groupBy(reviews, ({ product }) => product.upc),
};

const resolvers: Readonly<Record<string, object>> = {
  users: {
    Query: {
      me: () => users[0],
      user: (_: unknown, { id }: User) => users[Number(id) - 1],
      users: () => users,
    },
    User: { __resolveReference: ({ id }: User) => users[Number(id) - 1] },
  },
  products: {
    Query: {
      topProducts: (_: unknown, { first }: { first: number }) =>
        Array.from({ length: first }, (_, at) => productOf(at + 1)),
    },
    Product: { __resolveReference: ({ upc }: Product) => productOf(Number(upc)) },
  },
  reviews: {
    Review: { __resolveReference: ({ id }: User) => reviews[Number(id) - 1] },
    User: { reviews: ({ id }: User) => reviewsOf.author.get(id) ?? [] },
    Product: {
      reviews: ({ upc }: Product) => reviewsOf.product.get(String(((Number(upc) - 1) % products.length) + 1)) ?? [],
    },
  },
  inventory: {
    Product: {
      inStock: ({ upc }: Product) => Number(upc) % 4 !== 0,
      shippingEstimate: ({ price, weight }: Product) => (price > 1_000 ? 0 : Math.round(weight * 0.5)),
    },
  },
};

type Build<Schema> = (module: { typeDefs: unknown; resolvers: never }) => Schema;

/** The executable schema of each subgraph, made with the packages of the caller. */
export const schemasWith = <Schema>(build: Build<Schema>, parse: (sdl: string) => unknown): Record<string, Schema> =>
  Object.fromEntries(
    Object.entries(typeDefs).map(([name, sdl]) => [
      name,
      build({ typeDefs: parse(sdl), resolvers: resolvers[name] as never }),
    ]),
  );

const fragments = `
  fragment User on User { id username name }
  fragment Review on Review { id body }
  fragment Product on Product { inStock name price shippingEstimate upc weight }
`;

/** The queries: the one of the public benchmark, a small one, and one whose answer has a megabyte. */
export const queries = {
  heavy: `${fragments}
    query TestQuery {
      users { ...User reviews { ...Review product { ...Product reviews { ...Review author { ...User
        reviews { ...Review product { ...Product } } } } } } }
      topProducts { ...Product reviews { ...Review author { ...User reviews { ...Review product { ...Product } } } } }
    }`,
  light: '{ topProducts(first: 3) { upc name inStock reviews { id body author { id name } } } }',
  large: '{ topProducts(first: 4500) { upc name price weight inStock reviews { id body author { id name } } } }',
};
