import { describe, expect, it } from 'vitest';

import { pageArguments, paginated, offsetArguments } from '@foyer/shared/pagination';
import { inParts } from './whole-lists.ts';

/** An operation that lists so many rows, a hundred per page, as GraphQL does. */
function listing(total: number) {
  const requests: unknown[] = [];
  const run = (variables: Record<string, unknown>) => {
    requests.push(variables);
    const { first, offset } = variables as { first: number; offset: number };
    const edges = Array.from({ length: Math.max(0, Math.min(first, total - offset)) }, (_, at) => ({
      node: offset + at,
    }));
    return Promise.resolve({ people: { totalCount: total, edges } });
  };
  return { run, requests };
}

/** The same for a list with cursors, whose end is known by `hasNextPage` only. */
function listingByCursor(total: number) {
  const requests: unknown[] = [];
  const run = (variables: Record<string, unknown>) => {
    requests.push(variables);
    const { first, after } = variables as { first: number; after?: string };
    const from = after === undefined ? 0 : Number(after) + 1;
    const edges = Array.from({ length: Math.max(0, Math.min(first, total - from)) }, (_, at) => ({ node: from + at }));
    const endCursor = edges.at(-1)?.node.toString() ?? null;
    return Promise.resolve({ cards: { edges, pageInfo: { hasNextPage: from + first < total, endCursor } } });
  };
  return { run, requests };
}

const list = async (total: number, query: { page?: number; limit?: number }) => {
  const { run, requests } = listing(total);
  const { people } = await inParts(offsetArguments(query), run);
  return { ...paginated(people.edges, query, people.totalCount), times: requests.length };
};

describe('a list that the documents show without pages', () => {
  it('has all rows when the request names no page', async () => {
    const { data, pagination, times } = await list(250, {});
    expect(data).toEqual(Array.from({ length: 250 }, (_, node) => ({ node })));
    expect(pagination).toEqual({ page: 1, limit: 250, total: 250, totalPages: 1 });
    expect(times).toBe(3);
    expect((await list(3, {})).pagination).toEqual({ page: 1, limit: 20, total: 3, totalPages: 1 });
  });

  it('is read by cursor if it has one', async () => {
    const { run, requests } = listingByCursor(201);
    const { cards } = await inParts(pageArguments({}), run);
    expect(cards.edges.map(({ node }) => node)).toEqual(Array.from({ length: 201 }, (_, node) => node));
    expect(requests).toEqual([
      { first: 100, page: null },
      { first: 100, page: null, after: '99' },
      { first: 100, page: null, after: '199' },
    ]);
    expect(pageArguments({ page: 3 })).toEqual({ first: 20, page: 3 });
    expect(pageArguments({ limit: 7 })).toEqual({ first: 7, page: null });
  });

  it.each([
    ['cursor', (total: number) => inParts(pageArguments({}), listingByCursor(total).run, 300)],
    ['number', (total: number) => inParts(offsetArguments({}), listing(total).run, 300)],
  ])('is refused instead of truncated when it is too long, continued by %s', async (_, whole) => {
    await expect(whole(300)).resolves.toBeDefined();
    await expect(whole(301)).rejects.toMatchObject({ reason: 'LIST_TOO_LONG' });
    await expect(whole(12_000)).rejects.toMatchObject({ reason: 'LIST_TOO_LONG' });
  });

  it('is never complete for a request with a number, however large', async () => {
    const { run, requests } = listing(0);
    await inParts({ limit: 10_000, prefix: null }, run);
    expect(requests).toEqual([{ limit: 10_000, prefix: null }]);
  });

  it('has pages of twenty, or of the requested size, when the request names a page', async () => {
    expect(await list(50, { page: 2 })).toMatchObject({ pagination: { page: 2, limit: 20, totalPages: 3 }, times: 1 });
    expect((await list(50, { limit: 30 })).data).toHaveLength(30);
    expect((await list(50, { limit: 30, page: 2 })).data[0]).toEqual({ node: 30 });
  });
});
