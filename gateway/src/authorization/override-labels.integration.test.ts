import { buildSubgraphSchema } from '@apollo/subgraph';
import { systemClock } from '@foyer/shared/clock';
import { logOptions } from '@foyer/shared/telemetry/log';
import { parse } from 'graphql';
import { pino } from 'pino';
import { afterEach, expect, it } from 'vitest';

import { createGateway, type Gateway } from '../app.ts';
import { readConfig } from '../config.ts';
import { compose } from '../supergraph/compose.ts';

const link = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@override"])`;

const bills = ['total', 'due', 'state', 'payer', 'note'];
const before = `${link}
  type Query { bill: Bill }
  type Bill @key(fields: "id") { id: ID! ${bills.map((name) => `${name}: String`).join(' ')} }`;
const after = `${link}
  type Bill @key(fields: "id") {
    id: ID!
    total: String @override(from: "before", label: "percent(30)")
    due: String @override(from: "before", label: "percent(75.5)")
    state: String @override(from: "before", label: "percent(100)")
    payer: String @override(from: "before", label: "percent(0)")
    note: String @override(from: "before", label: "new-notes")
  }`;

let gateway: Gateway | undefined;
afterEach(() => gateway?.stop());

/** A gateway whose subgraphs answer with their names. */
async function openGateway(env: Record<string, string> = {}) {
  const typeDefs = { before, after };
  const services = Object.entries(typeDefs).map(([name, sdl]) => ({ name, url: 'http://nowhere.test', typeDefs: sdl }));
  const subgraph = (name: 'before' | 'after') => {
    const bill = { __typename: 'Bill', id: '1', ...Object.fromEntries(bills.map((field) => [field, name])) };
    const resolvers = { Query: { bill: () => bill }, Bill: { __resolveReference: () => bill } };
    const { Bill } = resolvers;
    const used = name === 'before' ? resolvers : { Bill };
    return {
      schema: buildSubgraphSchema([{ typeDefs: parse(typeDefs[name]), resolvers: used }]),
      contextFor: () => ({}),
    };
  };
  return createGateway({
    supergraphSdl: compose(services).supergraphSdl,
    subgraphs: { before: subgraph('before'), after: subgraph('after') },
    authenticate: async () => ({ viewer: null, by: 'nothing' }),
    config: readConfig(env),
    log: pino(logOptions('silent')),
    clock: systemClock,
  });
}

const document = parse(`{ bill { ${bills.join(' ')} } }`);

/** The subgraph from which each field comes for a customer. */
async function sourcesFor(custId: string): Promise<Record<string, string>> {
  const { signal } = new AbortController();
  const viewer = { kind: 'customer', custId, issuedAt: 0, expiresAt: 0 } as const;
  const client = { address: '', userAgent: '' };
  const scope = { requestId: 'bill', viewer, client, signal, reply: { cookies: [] } };
  const result = await gateway?.execute({ document }, scope);
  return result?.data?.['bill'] as Record<string, string>;
}

it('a share of the callers gets a field from the overriding subgraph, always the same ones', async () => {
  gateway = await openGateway();
  const customers = Array.from({ length: 400 }, (_, at) => `customer ${at}`);
  const first = await Promise.all(customers.map(sourcesFor));
  const share = (field: string) => first.filter((bill) => bill[field] === 'after').length / first.length;

  expect(share('total')).toBeCloseTo(0.3, 1);
  expect(share('due')).toBeCloseTo(0.755, 1);
  expect(share('state')).toBe(1);
  expect(share('payer')).toBe(0);
  expect(first.filter(({ total, due }) => total === 'after' && due === 'before')).toEqual([]);
  expect(await Promise.all(customers.map(sourcesFor))).toEqual(first);
});

it('a label with another name applies where it is configured', async () => {
  gateway = await openGateway();
  expect((await sourcesFor('1'))['note']).toBe('before');
  await gateway.stop();

  gateway = await openGateway({ GRAPHQL_OVERRIDE_LABELS: 'other, new-notes' });
  expect((await sourcesFor('1'))['note']).toBe('after');
});
