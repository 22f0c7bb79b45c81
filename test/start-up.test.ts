import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { freePort } from '@foyer/prisma/free-port';
import { migrationNames } from '@foyer/prisma/migrate';
import { createTestDatabase, type TestDatabase } from '@foyer/prisma/testing/test-database';
import { identityOf } from '@foyer/shared/process/processes';
import { Client } from 'pg';
import { afterAll, describe, expect, it } from 'vitest';

import { childrenOf } from './support/servers/processes.ts';
import {
  startServerProcess,
  run,
  dataDirFor,
  layoutOfTheseTests,
  type Running,
} from './support/servers/server-process.ts';
import { exitOf } from './support/servers/spawned.ts';
import { until } from './support/until.ts';

const folders: string[] = [];
const kept = (folder: string) => {
  folders.push(folder);
  return folder;
};
const aFolder = async () => kept(await mkdtemp(join(tmpdir(), 'foyer-start-')));
/** The data of a first start, where that is not the subject: it takes three times the CPU of a later one. */
const dataOfAStart = async () => kept(await dataDirFor({}, layoutOfTheseTests));

afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

/** The exit code and the output of a failed start. */
async function failedStart(env: Record<string, string>) {
  const running = run({ LOG_LEVEL: 'silent', ...env });
  const code = await exitOf(running.child);
  return { code, lines: running.printed().trim().split('\n') };
}

describe('starting the server', () => {
  it('prints its addresses first, and finds its data again after SIGTERM and after kill -9', async () => {
    const server = await startServerProcess({ DATA_DIR: await aFolder(), LOG_LEVEL: 'warn' }); // as by default
    // Those of its processes come before, where there are any; subgraphs say when the worker takes longer to start.
    const before = String.raw`(\w+ is open: .*\n|\{.*"events: no relay is heard in Redis.*\n)*`;
    expect(server.printed()).toMatch(new RegExp(`^${before}\nFoyer is open: ${server.url}\n`));
    expect(await server.stop()).toEqual({ code: 0, ms: expect.any(Number) });

    const again = await server.restart();
    await again.kill();

    const afterKill = await again.restart();
    await expect.poll(async () => (await fetch(`${afterKill.url}/health/ready`)).status).toBe(200);
    expect((await afterKill.stop()).code).toBe(0);
  });

  it('stops in time although a client never ends its request', async () => {
    const server = await startServerProcess({ DATA_DIR: await dataOfAStart() });
    const { hostname, port } = new URL(server.url);
    const client = connect(Number(port), hostname).on('error', () => {});
    client.write(
      'POST /auth/login HTTP/1.1\r\nContent-Type: application/json\r\nHost: foyer\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n',
    );
    client.write('abc');
    await once(client, 'data');

    expect(await server.stop()).toEqual({ code: 0, ms: expect.any(Number) });
  });

  it('stops when the npx that started it is stopped', async () => {
    const port = await freePort();
    const npx = spawn('npx', ['-y', 'pnpm', 'start'], {
      cwd: join(import.meta.dirname, '..'),
      env: { ...process.env, PORT: String(port), DATA_DIR: await dataOfAStart() },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let printed = '';
    for (const stream of [npx.stdout, npx.stderr]) stream.on('data', (chunk) => (printed += String(chunk)));
    const answers = () =>
      fetch(`http://localhost:${port}/health/live`).then(
        ({ ok }) => ok,
        () => false,
      );
    await until('the server to open', answers, { timeoutMs: 90_000 });

    npx.kill('SIGTERM');

    expect(await until('the server to close', async () => !(await answers()))).toBe(true);
    const [before, ...after] = printed.split('Foyer is open');
    expect([/warn|deprecat/i.test(before ?? ''), after.length]).toEqual([false, 1]);
  });

  it('reports in one line that the port is taken, and exits with 1', async () => {
    const port = await freePort();
    const holder = createServer().listen(port, '127.0.0.1');
    const { code, lines } = await failedStart({ PORT: String(port), DATA_DIR: await aFolder() });
    holder.close();
    expect(code).toBe(1);
    expect(lines).toEqual([`foyer: PORT: ${port} is taken by another process`]);
  });

  it.each([
    ['server/src/single-process/main.ts'],
    ['server/src/distributed/one-machine/main.ts'],
    ['server/src/distributed/main.ts', 'gateway'],
  ])('refuses arguments in one line, as a port that was ignored would mislead: %s', async (...main) => {
    const cwd = join(import.meta.dirname, '..');
    const child = spawn(process.execPath, [...main, '--port', '5000'], { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
    let printed = '';
    child.stderr.on('data', (chunk) => (printed += String(chunk)));

    expect(await exitOf(child)).toBe(1);
    expect(printed).toBe('foyer: --port: is not known: settings are variables, as in PORT=5000 (docs/operations.md)\n');
  });

  it('reports in one line that DATA_DIR can not be written', async () => {
    const file = join(await aFolder(), 'a file');
    await writeFile(file, '');
    for (const place of [file, join(file, 'below'), '/proc/foyer']) {
      const { code, lines } = await failedStart({ PORT: String(await freePort()), DATA_DIR: place });
      expect([code, lines]).toEqual([1, [`foyer: DATA_DIR: ${place} can not be written`]]);
    }
  });

  it('reports in one line that MEDIA_DIR can not be written, as on a disk that was mounted read-only', async () => {
    const file = join(await aFolder(), 'a file');
    await writeFile(file, '');
    for (const place of [join(file, 'below'), '/proc/foyer']) {
      const env = { PORT: String(await freePort()), DATA_DIR: await dataOfAStart(), MEDIA_DIR: place };
      const { code, lines } = await failedStart(env);
      expect(code).toBe(1);
      expect(lines).toContain(`foyer: MEDIA_DIR: ${place} can not be written`);
      expect(lines.join()).not.toContain('mkdir');
    }
  });

  it('takes an empty variable for an unset one', async () => {
    const empty = ['DATABASE_URL', 'IDP_URL', 'SMTP_URL', 'PUBLIC_URL', 'MEDIA_DIR', 'HOOK_SECRET', 'REST_AUTH'];
    const env = Object.fromEntries(empty.map((name) => [name, '']));
    const server = await startServerProcess({ ...env, DATA_DIR: await dataOfAStart() });
    expect((await fetch(`${server.url}/health/ready`)).status).toBe(200);
    await server.stop();
  });

  it.each([
    ['PORT', 'eighty'],
    ['PUBLIC_URL', 'localhost:4000'],
    ['DATABASE_URL', 'mysql://localhost/foyer'],
    ['LOG_LEVEL', 'loud'],
    ['REST_AUTH', 'sometimes'],
    ['AUTH_JWT_ACCESS_EXPIRY', 'soon'],
    ['GRAPHQL_SHARED_SUBSCRIPTIONS', 'nope'],
    ['FFMPEG_PATH', '/nope'],
  ])('names the variable %s when it can not be used', async (variable, value) => {
    const { code, lines } = await failedStart({
      PORT: String(await freePort()),
      DATA_DIR: await dataOfAStart(),
      [variable]: value,
    });
    expect(code).toBe(1);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(new RegExp(`^foyer: ${variable}(\\.\\w+)?: `));
  });

  it.each(['DATABASE_URL', 'IDP_URL', 'PAYMENT_GATEWAY_URL', 'SMTP_URL'])(
    'refuses the embedded service of %s in production, and names all else that is missing',
    async (variable) => {
      const real = {
        DATABASE_URL: 'postgresql://foyer@db/foyer',
        IDP_URL: 'https://idp.example',
        PAYMENT_GATEWAY_URL: 'https://bank.example',
        SMTP_URL: 'smtp://mail.example',
      };
      const { code, lines } = await failedStart({
        NODE_ENV: 'production',
        PORT: String(await freePort()),
        DATA_DIR: await aFolder(),
        ...real,
        [variable]: '',
      });
      expect(code).toBe(1);
      expect(lines[0]).toMatch(/^foyer: \d+ variables to set right:$/);
      expect(lines[1]?.trim()).toMatch(new RegExp(`^${variable}: the embedded .* may not run in production$`));
      expect(lines.map((line) => line.trim())).toContain('AUTH_JWT_PRIVATE_KEY: must be set');
    },
  );
});

it('a server that is killed leaves no inbox behind', async () => {
  const server = await startServerProcess({ LOG_LEVEL: 'silent' });
  folders.push(server.dataDir);
  expect((await fetch(`${server.url}/sim/inbox/email`)).status).toBe(200);
  const inbox = (await childrenOf(server)).find(({ command }) => command.includes('inbox-process'))?.pid ?? 0;
  expect(await identityOf(inbox)).not.toBe('');

  await server.kill();

  await expect.poll(() => identityOf(inbox), { timeout: 10_000 }).toBe('');
});

describe('a first start', () => {
  it.skipIf(layoutOfTheseTests === 'distributed')(
    'keeps nothing in memory of what drew the demo pictures',
    async () => {
      const server = await startServerProcess({ DATA_DIR: await aFolder() });
      const mapped = await readFile(`/proc/${server.pid}/maps`, 'utf8');
      const children = await childrenOf(server);
      const picture = await fetch(`${server.url}/assets/acme/storefront/city-nights.png`);
      await server.stop();

      expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png']);
      expect(mapped).not.toMatch(/sharp|vips/);
      expect(children.filter(({ command }) => /-process|draw-pictures/.test(command))).toEqual([]);
    },
  );

  it('reports in one line that the identity provider, which it needs, does not answer', async () => {
    await withDatabase('tables', async ({ url }) => {
      const provider = { IDP_URL: 'http://127.0.0.1:1', IDP_PAT: 'token' };
      const env = { PORT: String(await freePort()), DATA_DIR: await aFolder(), DATABASE_URL: url, ...provider };
      const { code, lines } = await failedStart(env);
      expect(code).toBe(1);
      expect(lines).toContain('foyer: IDP_URL: the identity provider can not be used, and the first start needs it');
    });
  });

  it('names the migration that fails', async () => {
    await withDatabase('tables', async ({ url }, db) => {
      const name = (await migrationNames())[1] ?? '';
      await db.query('DELETE FROM _prisma_migrations WHERE migration_name = $1', [name]);
      const env = { PORT: String(await freePort()), DATA_DIR: await aFolder(), DATABASE_URL: url };
      const { code, lines } = await failedStart(env);
      expect(code).toBe(1);
      expect(lines[0]).toMatch(
        new RegExp(`^MigrationError: the migration ${name} failed and was undone: .*already exists`),
      );
    });
  });

  it('stops after its migrations when Ctrl-C is pressed during them', async () => {
    await duringMigrations(async ({ child, printed }, migrating, finish) => {
      process.kill(-(child.pid ?? 0), 'SIGINT');
      await until('the server to stop', async () => printed().includes('stopping…'));
      expect(await identityOf(migrating)).not.toBe('');
      await finish();

      const ended = { exit: await exitOf(child), printed: printed() };
      const stopped = expect.stringMatching(/^stopping…\n(?:\w+ is open: .*\n)*stopped\n$/);
      expect(ended).toEqual({ exit: 0, printed: stopped });
      expect(await identityOf(migrating)).toBe('');
    });
  });

  it('leaves no process behind when it is killed during its migrations', async () => {
    await duringMigrations(async ({ child }, migrating) => {
      child.kill('SIGKILL');
      await expect.poll(() => identityOf(migrating), { timeout: 10_000 }).toBe('');
    });
  });
});

async function withDatabase(
  content: 'tables' | 'nothing',
  test: (database: TestDatabase, db: Client) => Promise<void>,
): Promise<void> {
  const database = await createTestDatabase(content);
  const db = new Client({ connectionString: database.url });
  await db.connect();
  try {
    await test(database, db);
  } finally {
    await db.end();
    await database.drop();
  }
}

/** The lock of Prisma's engine, which prevents migrations at the same time. */
const MIGRATION_LOCK = 72_707_369;

/** A server in a process group of its own, whose migrations wait until `finish` is called. */
const duringMigrations = (
  test: (running: Running, migrating: number, finish: () => Promise<unknown>) => Promise<void>,
): Promise<void> =>
  withDatabase('nothing', async ({ url }, db) => {
    await db.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const env = { PORT: String(await freePort()), DATA_DIR: await aFolder(), DATABASE_URL: url, LOG_LEVEL: 'silent' };
    const running = run(env, layoutOfTheseTests, ['setsid']);
    const migrating = await until('the migrations', async () => {
      const children = await childrenOf({ pid: running.child.pid ?? 0 });
      return children.find(({ command }) => command.includes('migrate-process'))?.pid;
    });
    await test(running, migrating, () => db.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]));
  });
