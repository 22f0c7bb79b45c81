import { type ChildProcess, spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import { freePort } from '@foyer/prisma/free-port';
import { makeDatabaseFolder } from '@foyer/prisma/testing/database-folder';

import { beginsGolden, copyGolden, goldenDataDir } from './golden-data-dir.ts';
import { childrenOf } from './processes.ts';
import { programs } from './programs.ts';
import { noRedis, startRedisServer } from './redis-server.ts';
import { exitOf } from './spawned.ts';

const root = join(import.meta.dirname, '../../..');
/** The compile cache of Node, which the next process uses. */
export const compileCache = join(root, 'node_modules/.cache/node');
/** A start takes seconds; long enough for a busy machine. */
const START_TIMEOUT_MS = 300_000;

/**
 * How a server is run: all in one process, or as many (`FOYER_LAYOUT=distributed`). What tests say is true of both.
 */
export const distributed = process.env['FOYER_LAYOUT'] === 'distributed';

/** What these tests say to all servers: which programs process media, and whose executor runs query plans. */
export const ofTheseTests: Record<string, string> = {
  ...programs,
  ...(process.env['GATEWAY_EXECUTOR'] && { GATEWAY_EXECUTOR: process.env['GATEWAY_EXECUTOR'] }),
};

export type Layout = 'single' | 'distributed';

export const layoutOfTheseTests: Layout = distributed ? 'distributed' : 'single';

const mains: Record<Layout, string> = {
  single: 'server/src/single-process/main.ts',
  distributed: 'server/src/distributed/one-machine/main.ts',
};

/** The address of a running Foyer. */
export interface Server {
  url: string;
}

/** A running Foyer, started as a user starts it, and used only by its public API. */
export interface ServerProcess extends Server {
  /** The id of its process. */
  pid: number;
  dataDir: string;
  /** Everything it has printed so far, standard output and error. */
  printed(): string;
  /** SIGTERM, and waits; returns the exit code and how long it took. */
  stop(): Promise<{ code: number | null; ms: number }>;
  /** Ctrl-C, which a terminal sends to the whole process group; only for a server that runs within `setsid`. */
  interrupt(): Promise<{ code: number | null }>;
  /** `kill -9`. */
  kill(): Promise<void>;
  /** Starts again on the same data and address. */
  restart(): Promise<ServerProcess>;
}

/**
 * Runs a server on a free port and waits for its welcome; one of many processes has a Redis of its own. Without a DATA_DIR
 * of its own it begins with the data of a first start.
 *
 * @param within a command that runs the server, such as one that gives it other mounts
 */
export async function startServerProcess(
  env: Record<string, string> = {},
  layout: Layout = layoutOfTheseTests,
  within: readonly string[] = [],
): Promise<ServerProcess> {
  const dataDir = env['DATA_DIR'] ?? (await dataDirFor(env, layout));
  const port = env['PORT'] ?? String(await freePort());
  const redis = layout === 'distributed' && !env['REDIS_URL'] && !noRedis ? await startRedisServer() : undefined;
  const running = run(
    { LOG_LEVEL: 'info', ...(redis && { REDIS_URL: redis.url }), ...env, DATA_DIR: dataDir, PORT: port },
    layout,
    within,
  );
  running.child.once('exit', () => void redis?.stop());
  await untilPrinted(running, /Foyer is open/);

  return {
    url: `http://localhost:${port}`,
    pid: running.child.pid ?? 0,
    dataDir,
    printed: running.printed,
    async stop() {
      const begun = performance.now();
      running.child.kill('SIGTERM');
      const code = await exitOf(running.child);
      return { code, ms: performance.now() - begun };
    },
    async interrupt() {
      process.kill(-(running.child.pid ?? 0), 'SIGINT');
      return { code: await exitOf(running.child) };
    },
    async kill() {
      for (const pid of await processesOf(running.child)) process.kill(pid, 'SIGKILL');
      await exitOf(running.child);
    },
    restart: () => startServerProcess({ ...env, DATA_DIR: dataDir, PORT: port }, layout, within),
  };
}

/** Creates a data folder: that of a first start, unless a variable changes what it writes. */
export async function dataDirFor(env: Record<string, string>, layout: Layout): Promise<string> {
  const dataDir = await makeDatabaseFolder();
  if (beginsGolden(env)) await copyGolden(await goldenOf(layout), dataDir, { database: !env['DATABASE_URL'] });
  return dataDir;
}

/** The golden data folder, which a server of this layout makes where it is missing. */
export const goldenOf = (layout: Layout): Promise<string> =>
  goldenDataDir(async (folder) => {
    const server = await startServerProcess({ DATA_DIR: folder }, layout);
    await server.stop();
  });

/** Stops a server and removes its data. */
export async function stopServerProcess(server: ServerProcess | undefined): Promise<void> {
  if (!server) return;
  await server.stop();
  // A program that the server had started may still be writing its last file.
  await rm(server.dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
}

export interface Running {
  child: ChildProcess;
  printed(): string;
}

/** Starts the process with these variables, and what every server of a test has. */
export function run(env: Record<string, string>, layout = layoutOfTheseTests, within: readonly string[] = []): Running {
  const [command, ...args] = [...within, join(root, 'node_modules/.bin/node'), mains[layout]];
  const child = spawn(command, args, {
    cwd: root,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: process.env['HOME'] ?? '',
      NODE_COMPILE_CACHE: compileCache,
      ...ofTheseTests,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // A test that fails leaves nothing running.
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  child.once('exit', () => process.off('exit', end));

  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  return { child, printed: () => printed };
}

/** A server and, where it has any, its processes; not those of the embedded services. */
async function processesOf({ pid = 0 }: ChildProcess): Promise<number[]> {
  const own = (await childrenOf({ pid })).filter(({ command }) => command.includes('/main.ts'));
  return [...own.map((child) => child.pid), pid]; // otherwise they would notice its end, and stop by themselves
}

async function untilPrinted({ child, printed }: Running, words: RegExp): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!words.test(printed())) {
    if (child.exitCode !== null) throw new Error(`the server did not open:\n${printed()}`);
    if (Date.now() > deadline) {
      child.kill('SIGKILL');
      throw new Error(`the server was not open in time:\n${printed()}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
