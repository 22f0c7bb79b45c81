import { pino } from 'pino';
import { logOptions } from '@foyer/shared/log';
import { parse } from 'graphql';
import { expect, it } from 'vitest';

import { runPlan } from '../execute.ts';
import { operationContext } from '../operation-context.ts';
import { loadSupergraph } from '../supergraph.ts';
import { asked, shops } from '../testing/shops.ts';
import { inProcess } from './in-process.ts';

const supergraph = loadSupergraph(shops.supergraphSdl);
const log = pino(logOptions('silent'));
const sourcesOf = (options: { compiled: boolean }) =>
  Object.fromEntries(
    Object.entries(shops.schemas).map(([name, schema]) => [
      name,
      inProcess(name, { schema, contextFor: () => ({}) }, log, options),
    ]),
  );
const sources = { interpreted: sourcesOf({ compiled: false }), compiled: sourcesOf({ compiled: true }) };

async function answer(how: keyof typeof sources, query: string, variables: Record<string, unknown>) {
  const planned = supergraph.plan(parse(query), undefined);
  const scope = {
    requestId: 'in-process',
    viewer: null,
    client: { address: '', userAgent: '' },
    signal: new AbortController().signal,
    reply: { cookies: [] },
  };
  const state = { supergraph, sources: sources[how] };
  const { data, errors } = await runPlan(state, planned, planned.queryPlan, variables, operationContext(scope));
  return { data: JSON.stringify(data), errors: errors?.map((error) => JSON.stringify(error)).toSorted() };
}

it.each(asked)('compiled documents answer as interpreted ones do: %s', async (_what, query, variables = {}) => {
  const expected = await answer('interpreted', query, variables);

  // The first times it is interpreted here as well.
  for (let at = 0; at < 4; at += 1) expect(await answer('compiled', query, variables)).toEqual(expected);
});
