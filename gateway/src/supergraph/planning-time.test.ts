import { parse } from 'graphql';
import { expect, it } from 'vitest';

import { compose } from './compose.ts';
import { loadSupergraph } from '../testing/load-supergraph.ts';

const names = ['a', 'b', 'c', 'd'];

/** Subgraphs that all know everything: each level of a query has four times as many ways to be fetched. */
const { supergraphSdl } = compose(
  names.map((name) => ({
    name,
    url: 'http://nowhere.test',
    typeDefs: `extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@shareable"])
      type Query { from_${name}: Thing }
      type Thing @key(fields: "id") { id: ID! next: Thing @shareable size: Int @shareable only_${name}: Int }`,
  })),
);

const nested = (levels: number): string => (levels === 0 ? 'only_b only_c' : `size next { ${nested(levels - 1)} }`);

it('an operation whose plan takes too long is refused, and does not spoil the planner', () => {
  const supergraph = loadSupergraph(supergraphSdl, { planningMs: 1_000 });
  const simple = parse(`{ from_a { ${nested(2)} } }`);

  expect(() => supergraph.plan(parse(`{ from_a { ${nested(12)} } }`), undefined)).toThrow(
    expect.objectContaining({ extensions: { code: 'BAD_USER_INPUT', reason: 'PLANNING_TIMEOUT' } }),
  );

  expect(supergraph.plan(simple, undefined).queryPlan).toEqual(
    loadSupergraph(supergraphSdl).plan(simple, undefined).queryPlan,
  );
});
