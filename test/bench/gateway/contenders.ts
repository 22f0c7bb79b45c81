import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** A gateway of the benchmark, as its process is started. */
export interface Contender {
  name: string;
  file: string;
  args?: string[];
  env?: Record<string, string>;
  /** The folder of its packages, when they are not ours. */
  packages?: string;
  /** Over subgraphs in its own process. */
  local?: boolean;
  /** Whether it answers subscriptions; how many upstreams it opens for equal ones is up to it. */
  streams?: boolean;
}

const here = import.meta.dirname;
const peers = join(here, 'peers');

/** Our limits, off: the others have none. */
const noLimits = {
  GRAPHQL_REQUESTS_PER_ADDRESS: '0',
  GRAPHQL_MAX_COST: '0',
  GRAPHQL_PLANNING_MS: '0',
  GRAPHQL_WS_MAX_PER_ADDRESS: '0',
  GRAPHQL_MAX_STREAMS_PER_VIEWER: '0',
  LOG_LEVEL: 'error',
};
const apollosExecutor = { ...noLimits, GATEWAY_EXECUTOR: 'apollo' };
const shared = { ...noLimits, GRAPHQL_SHARED_SUBSCRIPTIONS: '*' };

/**
 * @param supergraph the file
 * @param services the addresses of the subgraphs
 */
export function contenders(supergraph: string, services: Readonly<Record<string, string>>): Contender[] {
  const remote = { file: join(here, '../../../gateway/src/main.mjs'), args: ['--supergraph', supergraph] };
  const local = { file: join(here, 'in-process.ts'), local: true };
  return [
    { name: 'stock Apollo, HTTP', file: join(peers, 'stock.mjs'), packages: peers },
    { name: 'stock Apollo, local', file: join(peers, 'stock.mjs'), packages: peers, env: { LOCAL: '1' }, local: true },
    { name: 'Hive Gateway', file: join(peers, 'hive.mjs'), packages: peers },
    { name: 'Hive Gateway, Rust planner', file: join(peers, 'hive.mjs'), packages: peers, env: { RUST: '1' } },
    {
      name: 'Mercurius, jit',
      file: join(peers, 'mercurius/mercurius.mjs'),
      packages: join(peers, 'mercurius'),
      env: { SERVICES: JSON.stringify(services) },
      streams: true,
    },
    { name: 'ours, HTTP', ...remote, env: noLimits, streams: true },
    { name: 'ours, in process', ...local, env: noLimits, streams: true },
    { name: "ours, HTTP, Apollo's executor", ...remote, env: apollosExecutor, streams: true },
    { name: "ours, in process, Apollo's executor", ...local, env: apollosExecutor, streams: true },
    { name: 'ours, in process, interpreted', ...local, env: { ...noLimits, SUBGRAPH_COMPILED: 'false' } },
  ];
}

/** Ours with subscriptions that share upstreams, beside those that do not. */
export function sharing(supergraph: string): Contender[] {
  return contenders(supergraph, {})
    .filter(({ name }) => name === 'ours, HTTP' || name === 'ours, in process')
    .map((contender) => ({ ...contender, name: `${contender.name}, shared`, env: shared }));
}

/** Why its packages can't be installed; undefined when they are there. */
export function missing({ packages }: Contender): string | undefined {
  if (!packages || existsSync(join(packages, 'node_modules'))) return undefined;
  try {
    execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: packages, stdio: 'pipe' });
    return undefined;
  } catch (error) {
    return (error as { stderr?: Buffer }).stderr?.toString().split('\n', 1)[0] ?? 'npm install failed';
  }
}
