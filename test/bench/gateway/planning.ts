/**
 * What planning a query costs that nobody has sent before:
 *
 *     node test/bench/gateway/planning.ts [--queries 300]
 *
 * Prints the CPU time of a plan, on Foyer's own supergraph and on the graph of the other gateway benchmarks. A plan is made on
 * the thread that answers everybody, so that the slowest counts as much as the mean.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { compose } from '@foyer/gateway/supergraph/compose';
import { loadSupergraph } from '@foyer/gateway/testing/load-supergraph';
import { randomQuery } from '@foyer/gateway/testing/random-query';
import { parse, validate } from 'graphql';

import { print } from '../print.ts';
import { typeDefs } from './graph.ts';

/** CPU milliseconds of one plan. */
export interface PlanningTime {
  mean: number;
  p95: number;
  max: number;
}

/** Plans random queries, each for the first time; the same number gives the same queries. */
export function planningTime(supergraphSdl: string, queries: number): PlanningTime {
  const supergraph = loadSupergraph(supergraphSdl);
  const times: number[] = [];
  for (let seed = 1; times.length < queries; seed += 1) {
    const document = parse(randomQuery(supergraph.publicSchema, seed));
    if (validate(supergraph.publicSchema, document).length > 0) continue; // fields that can't be merged
    const before = process.cpuUsage();
    supergraph.plan(document, undefined);
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1_000);
  }
  const sorted = times.toSorted((one, other) => one - other);
  return {
    mean: times.reduce((sum, time) => sum + time, 0) / times.length,
    p95: sorted[Math.floor(times.length * 0.95)] ?? 0,
    max: sorted.at(-1) ?? 0,
  };
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { queries: { type: 'string', default: '300' } } });
  const graphs = {
    'own supergraph': readFileSync(join(import.meta.dirname, '../../../gateway/supergraph.graphql'), 'utf8'),
    'benchmark graph': compose(Object.entries(typeDefs).map(([name, sdl]) => ({ name, url: '', typeDefs: sdl })))
      .supergraphSdl,
  };
  for (const [name, sdl] of Object.entries(graphs)) {
    const { mean, p95, max } = planningTime(sdl, Number(values.queries));
    print(`${name.padEnd(16)}  mean ${mean.toFixed(2)} ms   p95 ${p95.toFixed(1)} ms   max ${max.toFixed(1)} ms`);
  }
}
