import { parse } from 'graphql';
import { describe, expect, it } from 'vitest';

import { compose } from '../supergraph/compose.ts';
import { loadSupergraph } from '../testing/load-supergraph.ts';

const typeDefs = `
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@cost", "@listSize"])
  type Query {
    one: Item
    all: [Item!]
    few: [Item!] @listSize(assumedSize: 3)
    some(first: Int = 5): [Item!] @listSize(slicingArguments: ["first"], requireOneSlicingArgument: false)
    habit(limit: Int! = 50): [Item!]
    page(first: Int): Page
    pageOfMany(last: Int = 30): Page
    deepPage(first: Int): DeepPage
    grid: [[Item!]!]!
    cube: [[[Item!]]] @listSize(assumedSize: 3)
    rows(first: Int): [[Item!]!]!
    dear: Int @cost(weight: 7)
    search(text: String @cost(weight: 500), filter: Filter): [Item!]
    searchAll(filters: [Filter!] @cost(weight: 2)): Int
    thing: Thing
    anything: Anything
  }
  interface Thing { price: Int parts(first: Int): [Item!] pages(first: Int): Page cheap: Int }
  type Plain implements Thing { price: Int parts(first: Int): [Item!] pages(first: Int): Page cheap: Int }
  type Dear implements Thing @cost(weight: 40) {
    price: Int @cost(weight: 500) parts(first: Int): [Item!] @listSize(assumedSize: 70)
    pages(first: Int): Page @listSize(slicingArguments: ["first"], sizedFields: ["items"]) cheap: Int
  }
  union Anything = Item | Dear
  input Filter { text: String @cost(weight: 500) exact: Boolean also: Filter any: [Filter!] @cost(weight: 1) }
  type Mutation { make: Item }
  type Page { items: [Item!]! total: Int }
  type DeepPage { items(first: Int): [Item!]! }
  type Item { id: ID! parts: [Item!] @listSize(assumedSize: 2) }`;
const { supergraphSdl } = compose([{ name: 'a', url: '', typeDefs }]);
const supergraph = loadSupergraph(supergraphSdl, { listSize: 10 });
const cost = (document: string, variables = {}) => supergraph.plan(parse(document), undefined).cost(variables);

describe('what an operation costs', () => {
  it.each([
    ['{ one { id } }', 1],
    ['{ dear }', 7],
    ['{ all { id } }', 10],
    ['{ few { id parts { id parts { id } } } }', 3 * (1 + 2 * (1 + 2))],
    ['{ some(first: 4) { id } }', 4],
    ['{ page(first: 50) { items { id parts { id } } total } }', 1 + 50 * (1 + 2)],
    ['mutation { make { id } }', 11],
    ['{ ...F b: one { id } } fragment F on Query { a: one { id } }', 2],
  ])('%s costs %i', (document, expected) => {
    expect(cost(document)).toBe(expected);
  });

  it.each([
    ['{ thing { price } }', 40 + 500],
    ['{ thing { cheap } }', 40],
    ['{ thing { parts { id } } }', 40 + 70],
    ['{ thing { pages(first: 5) { items { id } } } }', 40 + 1 + 5],
    ['{ thing { ... on Plain { price } } }', 40],
    ['{ anything { ... on Item { id } } }', 40],
  ])('is that of the dearest object where an interface or a union is asked: %s costs %i', (document, expected) => {
    expect(cost(document)).toBe(expected);
  });

  it('depends on variables, and on their defaults when they are left out', () => {
    const document = 'query ($n: Int = 8) { some(first: $n) { id } }';

    expect([cost(document), cost(document, { n: 3 })]).toEqual([8, 3]);
  });

  it.each([
    ['{ some { id } }', {}, 5],
    ['{ habit { id } }', {}, 50],
    ['{ pageOfMany { items { id } } }', {}, 1 + 30],
    ['query ($n: Int) { some(first: $n) { id } }', {}, 5],
    ['query ($n: Int) { some(first: $n) { id } }', { n: null }, 10], // then the size is not given
  ])('counts the default of an argument that is left out: %s %o', (document, variables, expected) => {
    expect(cost(document, variables)).toBe(expected);
  });

  it.each([
    ['{ deepPage(first: 1) { items(first: 1000000) { id } } }', 1 + 1_000_000],
    ['{ deepPage(first: 1000) { items(first: 1) { id } } }', 1 + 1_000],
    ['{ deepPage(first: 1000) { items { id } } }', 1 + 1_000],
    ['{ deepPage { items(first: 7) { id } } }', 1 + 7],
  ])('counts the larger of the sizes that a page and its list request: %s', (document, expected) => {
    expect(cost(document)).toBe(expected);
  });

  it.each([
    ['{ some(first: -4) { id } }', {}, 10],
    ['query ($n: Int) { some(first: $n) { id } }', { n: -1_000_000 }, 10],
    ['{ page(first: -1) { items { id } } }', {}, 1 + 10],
    ['{ deepPage(first: -1) { items(first: -1) { id } } }', {}, 1 + 10],
  ])('ignores a negative size of a list: %s %o', (document, variables, expected) => {
    expect(cost(document, variables)).toBe(expected);
  });

  it.each([
    ['{ grid { id } }', 10 * 10],
    ['{ cube { id } }', 3 * 3 * 3],
    ['{ rows(first: 4) { id } }', 4 * 10],
  ])('counts lists within lists once for each level: %s', (document, expected) => {
    expect(cost(document)).toBe(expected);
  });

  it.each([
    ['{ search { id } }', {}, 10],
    ['{ search(text: "x") { id } }', {}, 500 + 10],
    ['{ search(filter: { exact: true }) { id } }', {}, 10],
    ['{ search(filter: { text: "x", also: { text: "y" } }) { id } }', {}, 1_000 + 10],
    ['{ searchAll(filters: [{ text: "x" }, { any: [{ text: "y" }, {}] }]) }', {}, 2 + 500 + 1 + 500],
    ['{ all { id } ... { search(text: "x") { parts { id } } } }', {}, 10 + 500 + 10 * (1 + 2)],
  ])(
    'counts the weight of arguments and of fields of inputs where they are given: %s',
    (document, variables, expected) => {
      expect(cost(document, variables)).toBe(expected);
    },
  );

  it.each([
    ['query ($t: String) { search(text: $t) { id } }', {}, 10],
    ['query ($t: String) { search(text: $t) { id } }', { t: null }, 10],
    ['query ($t: String) { search(text: $t) { id } }', { t: 'x' }, 510],
    ['query ($t: String = "x") { search(text: $t) { id } }', {}, 510],
    ['query ($t: String) { search(filter: { text: $t }) { id } }', {}, 10],
    ['query ($t: String) { search(filter: { text: $t }) { id } }', { t: 'x' }, 510],
    ['query ($f: Filter) { search(filter: $f) { id } }', { f: { text: 'x', also: { text: 'y' }, other: 1 } }, 1_010],
    ['query ($f: [Filter!]) { searchAll(filters: $f) }', { f: [{ text: 'x' }, { any: [{ text: 'y' }, {}] }] }, 1_003],
    ['query ($f: [Filter!]) { searchAll(filters: $f) }', { f: { text: 'x' } }, 502],
    ['query ($f: Filter!) { searchAll(filters: [$f, $f]) }', { f: { text: 'x' } }, 1_002],
    ['query ($f: Filter) { search(filter: $f) { id } }', { f: 'no input at all' }, 10],
  ])('counts the same weights in variables: %s %o', (document, variables, expected) => {
    expect(cost(document, variables)).toBe(expected);
  });

  it('weighs a variable once, however often it is used', () => {
    const uses = Array.from({ length: 100 }, (_, at) => `a${at}: searchAll(filters: $f)`).join(' ');
    let looks = 0;
    const filter = {
      get text() {
        looks += 1;
        return 'x';
      },
    };

    expect(cost(`query ($f: [Filter!]) { ${uses} }`, { f: [filter] })).toBe(100 * (2 + 500));
    expect(looks).toBe(1);
  });

  it('survives variables that nest without end, which are refused afterwards', () => {
    const nested = Array.from({ length: 50_000 }).reduce<object>((also) => ({ also }), { text: 'x' });

    expect(cost('query ($f: Filter) { search(filter: $f) { id } }', { f: nested })).toBe(10);
  });
});
