import { parse, validate, type DocumentNode } from 'graphql';
import { describe, expect, it } from 'vitest';

import { comparable, executors, type Spoil } from '../testing/executors.ts';
import { answerOfOneShop } from '../testing/one-shop.ts';
import { randomQuery } from '../testing/random-query.ts';
import { operations, hostile, shops } from '../testing/shops.ts';

const { supergraph, ...run } = executors(shops);
const stock = (query: string, variables: Record<string, unknown>, spoil: Spoil) =>
  run.stock(parse(query), variables, spoil);
const ours = (query: string, variables: Record<string, unknown>, spoil: Spoil) =>
  run.ours(parse(query), variables, spoil);

/** The data that one schema would answer; its errors have other words. */
async function ofOneSchema(document: DocumentNode) {
  const answer = await answerOfOneShop(supergraph.publicSchema, document, {});
  return answer && { data: answer.data };
}

const asIs: Spoil = (_subgraph, answer) => answer;

describe('the executor gives the same bytes as that of @apollo/gateway', () => {
  it.each(operations)('%s', async (_what, query, variables = {}) => {
    const expected = await stock(query, variables, asIs);

    expect(comparable(await ours(query, variables, asIs))).toEqual(comparable(expected));
    expect(Object.keys(expected.data ?? {}).length).toBeGreaterThan(0);
  });

  it.each(hostile)('also when %s', async (_what, spoil, query) => {
    expect(comparable(await ours(query, {}, spoil))).toEqual(comparable(await stock(query, {}, spoil)));
  });
});

describe('random queries', () => {
  it('get the answers of @apollo/gateway, or better ones: those that one schema would give', async () => {
    const counts = { equal: 0, withErrors: 0, better: 0 };
    for (let seed = 1; seed <= 80; seed += 1) {
      const query = randomQuery(supergraph.publicSchema, seed);
      const document = parse(query);
      if (validate(supergraph.publicSchema, document).length > 0) continue; // fields that can't be merged
      const expected = comparable(await stock(query, {}, asIs));
      const answer = comparable(await ours(query, {}, asIs));
      const equal = answer.json === expected.json;
      const right = equal ? expected : await ofOneSchema(document);
      if (!right) continue;
      const seen = equal ? answer : { data: JSON.parse(answer.json) as unknown };
      expect({ seed, query, ...seen }).toEqual({ seed, query, ...right });
      counts[equal ? 'equal' : 'better'] += 1;
      counts.withErrors += equal && expected.errors ? 1 : 0;
    }
    expect(counts.equal).toBeGreaterThan(40);
    expect(counts.withErrors).toBeGreaterThan(5);
    expect(counts.better).toBeGreaterThan(5);
  });
});

describe('an interface object', () => {
  it('does not hide of which type an entity is', async () => {
    const query = '{ products { rating ... on Book { __typename reviews { id } } ... on Toy { ages } } }';

    const { data } = await ours(query, {}, asIs);

    const ids = ['1', '2', '3', '4'].map((id) => ({ id }));
    expect(JSON.parse(JSON.stringify(data))).toEqual({
      products: [
        { rating: 4.5, __typename: 'Book', reviews: ids },
        { rating: null, ages: [1, 2] },
        { rating: 4.5, __typename: 'Book', reviews: [{ id: '3' }] },
      ],
    });
  });
});

describe('an entity that occurs often', () => {
  it('is fetched once, and its error is reported at each place', async () => {
    const answered: string[] = [];
    const query = '{ products { reviews { author { name failing } } } }';
    const seen: Spoil = (_subgraph, answer) => {
      const entities = answer.data?.['_entities'];
      if (entities) answered.push(JSON.stringify(entities));
      return answer;
    };

    const { data, errors } = await ours(query, {}, seen);

    const authors = answered.find((entities) => entities.includes('"name"'));
    expect(JSON.parse(authors ?? '')).toHaveLength(2);
    const places = (data as { products: { reviews: unknown[] }[] }).products.flatMap(({ reviews }) => reviews);
    expect(errors).toHaveLength(places.length);
  });
});
