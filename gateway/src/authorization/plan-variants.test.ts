import { parse } from 'graphql';
import { expect, it } from 'vitest';

import { compose } from '../supergraph/compose.ts';
import { loadSupergraph } from '../testing/load-supergraph.ts';

const names = ['a', 'b', 'c', 'd', 'e'];

const typeDefs = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@requiresScopes", "@policy"])
  type Query {
    ${names.map((name) => `${name}: Int @requiresScopes(scopes: [["${name}"]])`).join(' ')}
    f: Int @policy(policies: [["f"], ["g"]])
    open: Int
  }`;

const asked: (readonly string[])[] = [];
const supergraph = loadSupergraph(compose([{ name: 'one', url: 'http://nowhere.test', typeDefs }]).supergraphSdl, {
  async evaluatePolicies(policies) {
    asked.push(policies);
    return new Set(['g']);
  },
});

const document = parse(`{ ${names.join(' ')} }`);

function planFor(scopes: string[], of = document) {
  const { signal } = new AbortController();
  const access = { authenticated: true, scopes, policies: [] };
  const client = { address: '', userAgent: '' };
  return supergraph.planFor(of, undefined, {
    requestId: '',
    viewer: null,
    access,
    client,
    signal,
    reply: { cookies: [] },
  });
}

async function fieldsFor(scopes: string[]): Promise<string> {
  const { queryPlan } = await planFor(scopes);
  return queryPlan.node?.kind === 'Fetch' ? queryPlan.node.operation : '{}';
}

it('plans are kept for each set of what callers lack, and are right however many there are', async () => {
  const sets = Array.from({ length: 2 ** names.length }, (_, bits) => names.filter((_name, at) => bits & (1 << at)));
  for (const scopes of [...sets, ...sets.toReversed()]) {
    expect(await fieldsFor(scopes)).toBe(`{${scopes.join(' ')}}`);
    expect(await planFor(scopes)).toBe(await planFor([...scopes, 'something else']));
  }
});

it('callers who may see everything share the usual plan', async () => {
  expect(await planFor(names)).toBe(supergraph.plan(document, undefined));
  const open = parse('{ open }');
  expect(await planFor([], open)).toBe(supergraph.plan(open, undefined));
});

it('only policies that the operation depends on are evaluated', async () => {
  const withPolicy = parse('{ open f }');

  expect(asked).toEqual([]);
  expect(await planFor([], withPolicy)).toBe(supergraph.plan(withPolicy, undefined));
  expect(asked).toEqual([['f', 'g']]);
});
