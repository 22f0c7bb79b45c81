/**
 * The six queries of the public federation audit that Apollo's planner gets wrong, on small subgraphs of our own. The first three
 * the gateway puts right; the others have workarounds, which docs/federation.md lists. A test whose name says "today" holds a wrong
 * answer; when it falls, the planner has been put right, and that list is out of date.
 */
import { describe, expect, it } from 'vitest';

import { askSmallGateway, type SmallSubgraph } from '../testing/small-gateway.ts';

describe('a field that another field requires with other arguments', () => {
  const places = [
    ['s1', 'Ipoh'],
    ['s2', 'Taiping'],
    ['s3', 'Kangar'],
  ].map(([id, place]) => ({ id, place }));
  const depots: SmallSubgraph = {
    typeDefs: `
      type Query { parcels: [Parcel!]! }
      type Parcel @key(fields: "id") { id: ID! }
      type Stop @key(fields: "id") { id: ID! place: String! }`,
    resolvers: {
      Query: { parcels: () => [{ id: 'p1' }] },
      Stop: { __resolveReference: ({ id }: { id: string }) => places.find((stop) => stop.id === id) },
    },
  };
  const routes: SmallSubgraph = {
    typeDefs: `
      type Parcel @key(fields: "id") {
        id: ID! stops(last: Int!): [Stop!]! route: String @requires(fields: "stops(last: 2) { place }")
      }
      type Stop @key(fields: "id") { id: ID! place: String! @external }`,
    resolvers: {
      Parcel: {
        __resolveReference: ({ stops }: { stops?: { place: string }[] }) => ({ id: 'p1', way: stops }),
        stops: (_: unknown, { last }: { last: number }) => places.slice(-last).map(({ id }) => ({ id })),
        route: ({ way = [] }: { way?: { place: string }[] }) => way.map(({ place }) => place).join(' – '),
      },
    },
  };
  const queries = [
    ['as a literal', '{ parcels { route stops(last: 1) { id } } }'],
    ['as a variable', 'query ($last: Int! = 1) { parcels { route stops(last: $last) { id } } }'],
    [
      'in two fragments',
      `query ($last: Int! = 1) { parcels { route ...A ...B } }
       fragment A on Parcel { stops(last: $last) { id } } fragment B on Parcel { stops(last: $last) { id } }`,
    ],
  ] as const;

  it.each(queries)('has the arguments of the client, given %s', async (_how, query) => {
    const ask = await askSmallGateway({ depots, routes });

    expect(await ask(query)).toEqual({ data: { parcels: [{ route: 'Taiping – Kangar', stops: [{ id: 's3' }] }] } });
  });
});

describe('two fields that require a third with different arguments', () => {
  const rate = { MYR: 100, EUR: 20 };
  const hotel: SmallSubgraph = {
    typeDefs: `
      type Query { rooms: [Room!]! }
      type Room @key(fields: "no") { no: ID! rate(currency: String!): Int rateMyr: Int rateEur: Int }`,
    resolvers: {
      Query: { rooms: () => [{ no: '1' }] },
      Room: {
        __resolveReference: ({ no }: { no: string }) => ({ no }),
        rate: (_: unknown, { currency }: { currency: keyof typeof rate }) => rate[currency],
        rateMyr: () => rate.MYR,
        rateEur: () => rate.EUR,
      },
    },
  };
  type Rates = Partial<Record<'rate' | 'rateMyr' | 'rateEur', number>>;
  const tenth = (amount = 0) => amount / 10;
  const tax = (external: string, myr: string, eur: string): SmallSubgraph => ({
    typeDefs: `
      type Room @key(fields: "no") {
        no: ID! ${external}
        taxMyr: Int @requires(fields: "${myr}") taxEur: Int @requires(fields: "${eur}")
      }`,
    resolvers: {
      Room: {
        __resolveReference: (room: object) => room,
        taxMyr: (room: Rates) => tenth(room.rateMyr ?? room.rate),
        taxEur: (room: Rates) => tenth(room.rateEur ?? room.rate),
      },
    },
  });
  const byArgument = tax(
    'rate(currency: String!): Int @external',
    String.raw`rate(currency: \"MYR\")`,
    String.raw`rate(currency: \"EUR\")`,
  );

  it('are worked out with the same ones today', async () => {
    const ask = await askSmallGateway({ hotel, tax: byArgument });

    expect(await ask('{ rooms { taxMyr taxEur } }')).toEqual({ data: { rooms: [{ taxMyr: 2, taxEur: 2 }] } });
  });

  it('are worked out with their own when the client asks for them in two places', async () => {
    const ask = await askSmallGateway({ hotel, tax: byArgument });

    const { data } = await ask('{ rooms { taxMyr } abroad: rooms { taxEur } }');
    expect(data).toEqual({ rooms: [{ taxMyr: 10 }], abroad: [{ taxEur: 2 }] });
  });

  it('are when each requires a field without arguments', async () => {
    const ask = await askSmallGateway({
      hotel,
      tax: tax('rateMyr: Int @external rateEur: Int @external', 'rateMyr', 'rateEur'),
    });

    expect((await ask('{ rooms { taxMyr taxEur } }')).data).toEqual({ rooms: [{ taxMyr: 10, taxEur: 2 }] });
  });
});

describe('an entity that a subgraph resolves by its last key only', () => {
  const seat = { id: '7', spot: { block: 'C', row: '4', place: '12' } };
  const spot = 'type Spot @shareable { block: ID! row: ID! place: ID! }';
  const byId = '@key(fields: "id")';
  const byRow = '@key(fields: "id spot { row place }")';
  const byBlock = '@key(fields: "spot { block row }", resolvable: false)';
  const seating: SmallSubgraph = {
    typeDefs: `${spot}
      type Seat ${byId} ${byBlock} ${byRow.replace(')', ', resolvable: false)')} { id: ID! spot: Spot! label: String! }`,
    resolvers: { Seat: { __resolveReference: () => ({ ...seat, label: 'C4-12' }) } },
  };
  interface Reference {
    id?: string;
    label?: string;
  }
  const sales = (keys: string): SmallSubgraph => ({
    typeDefs: `${spot}
      type Query { seats: [Seat!]! }
      type Seat ${keys} { id: ID! spot: Spot! label: String! @external offer: String @requires(fields: "label") }`,
    resolvers: {
      Query: { seats: () => [seat] },
      Seat: {
        __resolveReference: ({ id, label }: Reference) => (id ? { ...seat, label } : null),
        offer: ({ label }: Reference) => `Seat ${label}`,
      },
    },
  });
  const unresolvable = byId.replace(')', ', resolvable: false)');
  const query = '{ seats { id offer } }';
  const right = { seats: [{ id: '7', offer: 'Seat C4-12' }] };

  it('is asked for by its first key today, and not found', async () => {
    const ask = await askSmallGateway({ seating, sales: sales(`${byBlock} ${byRow} ${unresolvable}`) });

    expect(await ask(query)).toEqual({ data: { seats: [{ id: '7', offer: null }] } });
  });

  it('is found when the key that it resolves comes first', async () => {
    const ask = await askSmallGateway({ seating, sales: sales(`${byRow} ${byBlock} ${unresolvable}`) });

    expect((await ask(query)).data).toEqual(right);
  });

  it('is found when the subgraph declares no other key', async () => {
    const ask = await askSmallGateway({ seating, sales: sales(byRow) });

    expect((await ask(query)).data).toEqual(right);
  });
});

describe('a field of an interface object that nobody resolves from here', () => {
  const van = 'type Van implements Vehicle @key(fields: "id") { id: ID! seats: Int }';
  const fleet = (types: string): SmallSubgraph => ({
    typeDefs: `type Query { newest: Vehicle } interface Vehicle @key(fields: "id") { id: ID! } ${types}`,
    resolvers: {
      Query: { newest: () => ({ __typename: 'Van', id: 'v1' }) },
      Vehicle: { __resolveReference: ({ id }: { id: string }) => ({ __typename: 'Van', id }) },
    },
  });
  const insurance = (key: string): SmallSubgraph => ({
    typeDefs: `
      type Query { insured: [Vehicle!]! }
      type Vehicle ${key} @interfaceObject { id: ID! policy: String }`,
    resolvers: {
      Query: { insured: () => [{ id: 'v1' }] },
      Vehicle: { __resolveReference: ({ id }: { id: string }) => ({ id }), policy: () => 'P-1' },
    },
  });
  const unresolvable = insurance('@key(fields: "id", resolvable: false)');
  const query = '{ newest { policy } }';

  it('makes the object null today, without an error, when no type implements the interface', async () => {
    const ask = await askSmallGateway({ fleet: fleet(''), insurance: unresolvable });

    expect(await ask(query)).toEqual({ data: { newest: null } });
  });

  it('is refused by composition when a type does', async () => {
    const asked = askSmallGateway({ fleet: fleet(van), insurance: unresolvable });

    await expect(asked).rejects.toThrow('cannot find field "Van.policy"');
  });

  it('is answered when the interface object can be resolved', async () => {
    const ask = await askSmallGateway({ fleet: fleet(van), insurance: insurance('@key(fields: "id")') });

    expect(await ask(query)).toEqual({ data: { newest: { policy: 'P-1' } } });
  });
});
