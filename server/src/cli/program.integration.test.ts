import { randomUUID } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';

import { openDatabase } from '@foyer/prisma/client';
import { createTestDatabase, type TestDatabase } from '@foyer/prisma/testing/test-database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { checkDatabase } from './doctor/database.ts';
import { checkStreamers } from './doctor/streamers.ts';
import { runProgram } from './program.ts';

/** Runs a command on a database; returns what it says on standard error. */
async function refusalOf(command: string, databaseUrl: string): Promise<string> {
  const [out, err] = [new PassThrough(), new PassThrough()];
  const env = { DATABASE_URL: databaseUrl };
  const code = await runProgram(command.split(' '), { env, out, err, signal: new AbortController().signal });
  err.end();
  expect(code).toBe(1);
  return (await text(err)).replace('Migrating …\n', '');
}

describe('on a database without a table', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
    const db = openDatabase(database.url, { connections: 1 });
    await db.$executeRaw`DROP TABLE auth.audit_log CASCADE`;
    await db.$executeRaw`DROP TABLE media.streamer CASCADE`;
    await db.$disconnect();
  });
  afterAll(() => database.drop());

  it('a command says in one line what the database refuses', async () => {
    expect(await refusalOf('audit tail', database.url)).toMatch(/^foyer: .*auth\.audit_log.* does not exist.*\n$/);
  });

  it('the doctor says why it could not check something', async () => {
    const [finding] = await checkStreamers({ DATABASE_URL: database.url }, { isStopped: false });
    expect(finding?.found).toMatch(/^not checked: .*media\.streamer.* does not exist/);
  });
});

describe('as a user of the database that has no rights', () => {
  const name = `weak_${randomUUID().replaceAll('-', '')}`;
  let migrated: TestDatabase;
  let empty: TestDatabase;
  let main: ReturnType<typeof openDatabase>;
  const asWeak = ({ url }: TestDatabase) => Object.assign(new URL(url), { username: name, password: 'weak' }).href;
  beforeAll(async () => {
    [migrated, empty] = await Promise.all([createTestDatabase(), createTestDatabase('nothing')]);
    main = openDatabase(migrated.url, { connections: 1 });
    await main.$executeRawUnsafe(`CREATE ROLE ${name} LOGIN PASSWORD 'weak'`);
  });
  afterAll(async () => {
    await main.$executeRawUnsafe(`DROP ROLE ${name}`);
    await main.$disconnect();
    await Promise.all([migrated.drop(), empty.drop()]);
  });

  it('the doctor names the right that is missing, not migrations', async () => {
    const finding = (await checkDatabase(asWeak(migrated))).find(({ part }) => part === 'migrations');
    expect(finding?.found).toContain('permission denied for table _prisma_migrations');
    expect(finding?.cure).toContain('rights');
    const [missing] = (await checkDatabase(empty.url)).filter(({ part }) => part === 'migrations');
    expect(missing).toMatchObject({ found: 'missing: all of them', cure: 'pnpm foyer migrate' });
  });

  it('a command names the right that is missing, not migrations', async () => {
    expect(await refusalOf('audit tail', asWeak(migrated))).toContain('permission denied for table _prisma_migrations');
    expect(await refusalOf('audit tail', empty.url)).toContain('lacks migrations (all)');
  });

  it('migrations name the variable, and the right that is missing', async () => {
    const refusal = 'foyer: DATABASE_URL: its user lacks a right: permission denied for ';
    expect(await refusalOf('migrate', asWeak(migrated))).toBe(`${refusal}table _prisma_migrations\n`);
    expect(await refusalOf('migrate', asWeak(empty))).toBe(`${refusal}schema public\n`);
  });
});

describe('on a database that is read-only, as a replica is', () => {
  let migrated: TestDatabase;
  let empty: TestDatabase;
  beforeAll(async () => {
    [migrated, empty] = await Promise.all([createTestDatabase(), createTestDatabase('nothing')]);
    const db = openDatabase(migrated.url, { connections: 1 });
    for (const { url } of [migrated, empty])
      await db.$executeRawUnsafe(
        `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET default_transaction_read_only = on`,
      );
    await db.$disconnect();
  });
  afterAll(() => Promise.all([migrated.drop(), empty.drop()]));

  it('migrations say in one line that it is, whether some are missing or none', async () => {
    const refusal = 'foyer: DATABASE_URL: the database is read-only: name its primary server, not a replica\n';
    expect(await refusalOf('migrate', empty.url)).toBe(refusal);
    expect(await refusalOf('migrate', migrated.url)).toBe(refusal);
  });

  it('the doctor says so', async () => {
    const found = await checkDatabase(migrated.url);
    expect(found).toContainEqual(expect.objectContaining({ part: 'writing', state: 'failed' }));
  });
});
