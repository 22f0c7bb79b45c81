import { buildSchema, parse } from 'graphql';
import { describe, expect, it } from 'vitest';

import { readConnection } from '../pagination.ts';
import { compiledExecution } from './compiled-execution.ts';
import { countOnDemand } from './count-on-demand.ts';

const schema = countOnDemand(
  buildSchema(
    'type Query { list: ListConnection } type ListConnection { edges: [Edge] totalCount: Int! } type Edge { cursor: ID }',
  ),
);

const { list } = schema.getQueryType()?.getFields() ?? {};
if (list) list.resolve = (read: () => unknown) => read();

/** A list of one row, and how often it was counted. */
function counted() {
  const list = { counts: 0, find: async () => [{ id: 'a' }], keyOf: ({ id }: { id: string }) => id };
  const count = async () => {
    list.counts += 1;
    return 7;
  };
  return { list, rootValue: () => readConnection({}, { ...list, count }) };
}

describe('a list', () => {
  it.each(['interpreted', 'compiled'])('is counted only for a client that selects totalCount: %s', async (how) => {
    const execute = compiledExecution();
    const { list, rootValue } = counted();
    const ask = async (document: ReturnType<typeof parse>) => {
      const { data } = await execute({ schema, document, rootValue });
      return data?.['list'];
    };
    const [page, total] = [parse('{ list { edges { cursor } } }'), parse('{ list { totalCount } }')];
    // From the third time on, a document is compiled.
    if (how === 'compiled') for (let times = 1; times <= 3; times += 1) await Promise.all([ask(page), ask(total)]);
    const before = list.counts;

    expect(await ask(page)).toEqual({ edges: [{ cursor: 'a' }] });
    expect(list.counts).toBe(before);
    expect(await ask(total)).toEqual({ totalCount: 7 });
    expect(list.counts).toBe(before + 1);
  });
});
