import { setImmediate as turn } from 'node:timers/promises';

import { parse, validate } from 'graphql';
import { describe, expect, it } from 'vitest';

import { accountsSupergraph } from '../testing/accounts.ts';
import { comparable, executors, type Spoil } from '../testing/executors.ts';
import { randomQuery } from '../testing/random-query.ts';

const { supergraph, stock, ours } = executors(accountsSupergraph);

/** A subgraph that answers after all others that are asked at the same time. */
const late =
  (slow: string): Spoil =>
  async (subgraph, answer) => {
    for (let turns = subgraph === slow ? 20 : 0; turns > 0; turns -= 1) await turn();
    return answer;
  };

describe.each(['a', 'b', 'c'])('interface objects, when %s answers last', (slow) => {
  it.each([
    [
      'the type beside a field of another subgraph',
      '{ accounts { __typename isActive } }',
      [
        { __typename: 'Admin', isActive: true },
        { __typename: 'Admin', isActive: false },
        { __typename: 'Regular', isActive: false },
      ],
    ],
    [
      'fields of one type beside a field of another subgraph',
      '{ accounts { visits ... on Admin { isMain } } }',
      [{ visits: 0, isMain: false }, { visits: 3, isMain: true }, { visits: 3 }],
    ],
  ])('have %s', async (_what, query, accounts) => {
    expect(validate(supergraph.publicSchema, parse(query))).toEqual([]);

    expect(await ours(parse(query), {}, late(slow))).toEqual({ data: { accounts } });
    expect(JSON.stringify(await stock(parse(query), {}, late(slow)))).toBe(JSON.stringify({ data: { accounts } }));
  });
});

describe('random queries over interface objects', () => {
  it('get the same answer, whichever subgraph answers last', async () => {
    let compared = 0;
    for (let seed = 1; compared < 40; seed += 1) {
      const query = randomQuery(supergraph.publicSchema, seed);
      const document = parse(query);
      // The planner takes seconds for longer ones. Some have fields that can't be merged.
      if (query.length > 600 || validate(supergraph.publicSchema, document).length > 0) continue;
      const expected = comparable(await ours(document, {}, late('none')));
      for (const slow of ['a', 'b', 'c']) {
        const answer = comparable(await ours(document, {}, late(slow)));
        expect({ slow, seed, query, ...answer }).toEqual({ slow, seed, query, ...expected });
      }
      compared += 1;
    }
  });
});

describe('one name for fields of two types', () => {
  // @apollo/gateway loses these values: it takes them for missing.
  it('has values that are false in JavaScript, too', async () => {
    const query = '{ users { ... on User { n: age } ... on Guest { n: visits } } }';

    expect(await ours(parse(query), {}, late('none'))).toEqual({ data: { users: [{ n: 11 }, { n: 0 }] } });
  });
});
