import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { freePort } from '@foyer/prisma/free-port';
import { createDatabaseOn } from '@foyer/prisma/testing/test-database';
import type { BrowserServer } from 'playwright-core';
import type { TestProject } from 'vitest/node';

import { launchBrowserServer, launchPlayerServer } from '../browsers/chromium.ts';
import { stopServerProcess, compileCache, startServerProcess, type Layout, type Server } from './server-process.ts';
import { variablesBeside } from '../second-server.ts';
import {
  CONSOLE_ORIGIN,
  ELSEWHERE,
  FRONTEND_URL,
  HOOK_SECRET,
  INTERNAL_PSK,
  INTERNAL_PSK_PREVIOUS,
} from './shared-settings.ts';
import { exitOf } from './spawned.ts';

/** The variables of the shared server that differ from the defaults. */
export const settings = {
  LOGIN_FLOOR_MS: '50',
  INTERNAL_PSK,
  INTERNAL_PSK_PREVIOUS,
  HOOK_SECRET,
  // Files that run at the same time would share the limits: those about limits have servers of their own.
  RATE_LIMITS: 'off',
  REST_RATE_LIMITS: 'off',
  GRAPHQL_PLANNING_MS: '0',
  GRAPHQL_REQUESTS_PER_VIEWER: '0',
  GRAPHQL_REQUESTS_PER_ADDRESS: '0',
  // A test may set the network of its client.
  TRUSTED_PROXIES: '127.0.0.1,::1',
  MAIL_FROM_DOMAINS: 'acme.test',
  // Sweeps run often; a process that pauses for less than three seconds is not taken for dead.
  PROCESSING_BEAT_MS: '600',
  GRAPHQL_RECHECK_MS: '500',
  SESSION_STREAM_HEARTBEAT_MS: '300',
  // Every operation counts as slow, and is logged.
  SLOW_OPERATION_MS: '1',
};

/** The shared servers, each with its variables. Most tests use `usual`; the others are for what several files need. */
export const servers = {
  usual: settings,
  strict: {
    ...settings,
    REST_AUTH: 'strict',
    RATE_LIMITS: 'on',
    ENFORCE_PASSWORD_CHANGE: 'true',
    // The slash at its end is ignored.
    AUTH_FRONTEND_URL: `${FRONTEND_URL}/`,
    // Only a loss of rights ends a stream.
    GRAPHQL_RECHECK_MS: '3600000',
    SESSION_STREAM_HEARTBEAT_MS: '3600000',
    // The most verbose log.
    LOG_LEVEL: 'trace',
  },
  /** For the rows of the documents, which are checked in both modes. */
  'usual-strict': { ...settings, REST_AUTH: 'strict' },
  // Two processes on one database and one store. The second has small limits, and other addresses than its own.
  first: { ...settings, ORIGIN_POLL_MS: '300' },
  second: {
    ...settings,
    ...ELSEWHERE,
    TRUSTED_PROXIES: '',
    UPLOAD_TOKEN_MINUTES: '0.1',
    UPLOAD_IDLE_SECONDS: '5',
    GRAPHQL_WS_QUEUE: '1',
  },
} satisfies Record<string, Record<string, string>>;

/** The shared parts of a run, by name. */
export type SharedParts = Record<`server-${keyof typeof servers}`, StartedServer> &
  Record<'browser' | 'player' | 'host', { url: string }>;

/** A shared server, as this set-up has started it. */
export interface StartedServer extends Server {
  /** The id of its process. */
  pid: number;
  dataDir: string;
  /** The URL of its database, for data that no API shows. */
  databaseUrl: string;
  /** Of a front-end on this machine, which may call with credentials: free until a test listens there. */
  consolePort: number;
}

interface Started<Part> {
  part: Part;
  /** Everything that it has printed so far. */
  printed?(): string;
  stop(): Promise<void>;
}

/**
 * Vitest's global set-up of the end-to-end tests: answers over HTTP where the shared servers and the shared browser of this run
 * are, and starts each when it is first needed. Projects of one layout share them.
 */
export default async function shareForTheRun(project: TestProject) {
  // Without variables of its own a project has no `env`, though the type says so.
  const env: NodeJS.ProcessEnv = { ...project.config.env };
  const layout: Layout = env['FOYER_LAYOUT'] === 'distributed' ? 'distributed' : 'single';
  const run = project.vitest.getRootProject();
  const known = run.getProvidedContext().sharedParts ?? {};
  if (known[layout]) return undefined;
  const starters: Record<string, () => Promise<Started<unknown>>> = {
    browser: () => startBrowser(launchBrowserServer),
    player: () => startBrowser(launchPlayerServer),
    host: startHost,
  };
  for (const [name, env] of Object.entries(servers)) {
    // Another set-up provides the URL, perhaps after this one.
    starters[`server-${name}`] = () => startServer(run.getProvidedContext().postgresUrl, env, layout);
  }
  const started = new Map<string, Promise<Started<unknown>>>();
  const begin = (name: string) => {
    const starting = started.get(name) ?? starters[name]?.();
    if (starting) started.set(name, starting);
    return starting;
  };
  starters['server-second'] = async () => {
    const { part } = (await begin('server-first')) as Started<StartedServer>;
    return startBeside(part, servers.second, layout);
  };

  const answers = createServer((request, response) => {
    const [, name = '', what] = (request.url ?? '').split('/');
    const starting = begin(name);
    if (!starting) {
      response.writeHead(404).end();
      return;
    }
    starting.then(
      ({ part, printed }) =>
        what === 'printed'
          ? response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end(printed?.())
          : response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(part)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  }).listen(0, '127.0.0.1');
  await once(answers, 'listening');
  run.provide('sharedParts', { ...known, [layout]: `http://127.0.0.1:${(answers.address() as AddressInfo).port}/` });

  return async () => {
    answers.close();
    // A part that depends on another began after it, and stops before it.
    for (const starting of [...started.values()].toReversed()) await (await starting.catch(() => undefined))?.stop();
  };
}

const originsOf = (consolePort: number) => `${CONSOLE_ORIGIN},http://localhost:${consolePort}`;

async function startServer(
  postgresUrl: string,
  env: Record<string, string>,
  layout: Layout,
): Promise<Started<StartedServer>> {
  const database = await createDatabaseOn(postgresUrl, 'seeds');
  const consolePort = await freePort();
  const ALLOWED_ORIGINS = originsOf(consolePort);
  const server = await startServerProcess({ ...env, ALLOWED_ORIGINS, DATABASE_URL: database.url }, layout);
  return {
    part: {
      consolePort,
      url: server.url,
      pid: server.pid,
      dataDir: server.dataDir,
      databaseUrl: database.url,
    },
    printed: server.printed,
    async stop() {
      await stopServerProcess(server);
      await database.drop();
    },
  };
}

async function startHost(): Promise<Started<{ url: string }>> {
  const host = spawn(process.execPath, [join(import.meta.dirname, 'server-host.ts')], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], NODE_COMPILE_CACHE: compileCache },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface(host.stdout), 'line')) as [string];
  return {
    part: { url: line },
    async stop() {
      host.stdin.end();
      await exitOf(host);
    },
  };
}

async function startBeside(
  one: StartedServer,
  env: Record<string, string>,
  layout: Layout,
): Promise<Started<StartedServer>> {
  const ALLOWED_ORIGINS = originsOf(one.consolePort);
  const server = await startServerProcess({ ...(await variablesBeside(one)), ...env, ALLOWED_ORIGINS }, layout);
  return {
    part: { ...one, url: server.url, pid: server.pid, dataDir: server.dataDir },
    printed: server.printed,
    stop: () => stopServerProcess(server),
  };
}

async function startBrowser(launch: () => Promise<BrowserServer>): Promise<Started<{ url: string }>> {
  const browser = await launch();
  return { part: { url: browser.wsEndpoint() }, stop: () => browser.close() };
}
