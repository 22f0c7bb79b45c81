/** What else Apollo's planner gets wrong, as in planner-cases.test.ts: cases 5, 6 and 9 of docs/federation.md. */
import { GraphQLScalarType } from 'graphql';
import { describe, expect, it } from 'vitest';

import { askSmallGateway, type SmallSubgraph } from '../testing/small-gateway.ts';

describe('a required field that requires another, in the subgraph where the entity comes from', () => {
  const trips: SmallSubgraph = {
    typeDefs: `
      type Query { trip: Trip }
      type Trip @key(fields: "id") { id: ID! km: Int @external band: String @requires(fields: "km") }`,
    resolvers: {
      Query: { trip: () => ({ id: '1' }) },
      Trip: {
        __resolveReference: (reference: object) => reference,
        band: ({ km = 0 }: { km?: number }) => (km > 5 ? 'far' : 'near'),
      },
    },
  };
  const maps: SmallSubgraph = {
    typeDefs: 'type Trip @key(fields: "id") { id: ID! km: Int }',
    resolvers: { Trip: { __resolveReference: ({ id }: { id: string }) => ({ id, km: 7 }) } },
  };
  const tariffs = (required: string): SmallSubgraph => ({
    typeDefs: `
      type Trip @key(fields: "id") { id: ID! ${required} @external tariff: String @requires(fields: "${required.split(':')[0]}") }`,
    resolvers: {
      Trip: {
        __resolveReference: (reference: object) => reference,
        tariff: ({ band, km = 0 }: { band?: string; km?: number }) => `tariff ${band ?? (km > 5 ? 'far' : 'near')}`,
      },
    },
  });

  it('is asked for before what it requires today', async () => {
    const ask = await askSmallGateway({ trips, maps, tariffs: tariffs('band: String') });

    expect(await ask('{ trip { tariff } }')).toEqual({ data: { trip: { tariff: 'tariff near' } } });
  });

  it('does no harm when the outer field requires the innermost one itself', async () => {
    const ask = await askSmallGateway({ trips, maps, tariffs: tariffs('km: Int') });

    expect(await ask('{ trip { band tariff } }')).toEqual({ data: { trip: { band: 'far', tariff: 'tariff far' } } });
  });

  it('does no harm when the entity comes from another subgraph', async () => {
    const start: SmallSubgraph = {
      typeDefs: 'type Query { first: Trip } type Trip @key(fields: "id") { id: ID! }',
      resolvers: { Query: { first: () => ({ id: '1' }) } },
    };
    const ask = await askSmallGateway({ trips, maps, tariffs: tariffs('band: String'), start });

    expect(await ask('{ first { tariff } }')).toEqual({ data: { first: { tariff: 'tariff far' } } });
  });
});

describe('a field that requires another, asked for under a condition', () => {
  const scales: SmallSubgraph = {
    typeDefs: 'type Query { parcel: Parcel } type Parcel @key(fields: "id") { id: ID! grams: Int }',
    resolvers: { Query: { parcel: () => ({ id: '1', grams: 200 }) } },
  };
  const post: SmallSubgraph = {
    typeDefs: `
      type Parcel @key(fields: "id") {
        id: ID! grams: Int @external box: String postage: Int @requires(fields: "grams")
      }`,
    resolvers: {
      Parcel: {
        __resolveReference: (reference: object) => reference,
        box: () => 'small',
        postage: ({ grams }: { grams: number }) => grams / 10,
      },
    },
  };
  const asked = async (selection: string, free: boolean) => {
    const ask = await askSmallGateway({ scales, post });
    return ask(`query ($free: Boolean!) { parcel { ${selection} } }`, { free });
  };

  it('takes the fields beside it along today, when it is left out', async () => {
    expect(await asked('box postage @skip(if: $free)', true)).toEqual({ data: { parcel: { box: null } } });
    expect(await asked('box postage @skip(if: $free)', false)).toEqual({
      data: { parcel: { box: 'small', postage: 20 } },
    });
  });

  it.each([
    ['the condition is on a fragment', 'box ... @skip(if: $free) { postage }', {}],
    ['the client asks for what it requires too', 'box grams postage @skip(if: $free)', { grams: 200 }],
  ])('leaves them alone when %s', async (_when, selection, more) => {
    expect(await asked(selection, true)).toEqual({ data: { parcel: { box: 'small', ...more } } });
    expect(await asked(selection, false)).toEqual({ data: { parcel: { box: 'small', postage: 20, ...more } } });
  });
});

describe('a number of more digits than JavaScript has, written out for a scalar of a subgraph', () => {
  const ledger: SmallSubgraph = {
    typeDefs: 'scalar Long type Query { entry(no: Long): String account(no: ID): String }',
    resolvers: {
      Long: new GraphQLScalarType({
        name: 'Long',
        parseValue: String,
        parseLiteral: (node) => ('value' in node ? String(node.value) : null),
      }),
      Query: {
        entry: (_: unknown, { no }: { no: string }) => no,
        account: (_: unknown, { no }: { no: string }) => no,
      },
    },
  };
  const digits = '12345678901234567890';

  it('loses digits today', async () => {
    const ask = await askSmallGateway({ ledger });

    expect(await ask(`{ entry(no: ${digits}) }`)).toEqual({ data: { entry: '12345678901234567000' } });
  });

  it('keeps them as text, and as an ID', async () => {
    const ask = await askSmallGateway({ ledger });

    const { data } = await ask(`{ entry(no: "${digits}") account(no: ${digits}) }`);
    expect(data).toEqual({ entry: digits, account: digits });
  });
});
