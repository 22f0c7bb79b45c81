import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { databaseBusy } from '@foyer/shared/database-errors';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openDatabase, Prisma, type PrismaClient } from '@foyer/prisma/client';
import { startEmbeddedPostgres } from '@foyer/prisma/embedded';
import { databaseLine, type DatabaseLine } from '@foyer/prisma/testing/database-line';
import { createTestDatabase, type TestDatabase } from '@foyer/prisma/testing/test-database';

let folder: string;
let postgres: Awaited<ReturnType<typeof startEmbeddedPostgres>>;
let db: PrismaClient;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-busy-'));
  postgres = await startEmbeddedPostgres(join(folder, 'postgres'), { durable: false });
  db = openDatabase(postgres.url, { connections: 1, connectionTimeoutMs: 1_000 });
});
afterAll(async () => {
  await db.$disconnect();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
});

const thrownBy = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );
const works = [
  () => db.$queryRaw`SELECT 1`,
  () => db.user.findMany(),
  () => db.$transaction((tx) => tx.user.findMany()),
];
const busy = { code: 'UPSTREAM_UNAVAILABLE', reason: 'DATABASE_BUSY' };

describe('a database that does not answer in time is a refusal with a code', () => {
  it('when it gives no connection: to a statement, a model and a transaction', async () => {
    const [held, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holding = db.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT 1`;
      held.resolve();
      await release.promise;
    });
    await held.promise;
    for (const work of works) expect(databaseBusy(await thrownBy(work()))).toMatchObject(busy);
    release.resolve();
    await holding;
  });

  it('when a transaction takes longer than it may', async () => {
    const slow = db.$transaction((tx) => tx.$queryRaw`SELECT pg_sleep(0.4)::text`, { timeout: 200 });
    expect(databaseBusy(await thrownBy(slow))).toMatchObject(busy);
  });

  it('but not when the statement is wrong, or a transaction is used after its end: that is a bug', async () => {
    expect(databaseBusy(await thrownBy(db.$queryRaw`SELECT nonsense`))).toBeUndefined();
    const ended = await db.$transaction((tx) => Promise.resolve([tx] as const));
    expect(databaseBusy(await thrownBy(ended[0].$queryRaw`SELECT 1`))).toBeUndefined();
    for (const other of [undefined, null, 'words', new Error('words')]) expect(databaseBusy(other)).toBeUndefined();
  });

  it('when it has stopped', async () => {
    await postgres.stop();
    for (const work of works) expect(databaseBusy(await thrownBy(work()))).toMatchObject(busy);
  });
});

describe('a database that became read-only, as at a failover', () => {
  let database: TestDatabase;
  let writable: PrismaClient;
  beforeAll(async () => {
    database = await createTestDatabase();
    writable = openDatabase(database.url, { connections: 1 });
    await readOnly('off');
  });
  afterAll(async () => {
    await writable.$disconnect();
    await database.drop();
  });
  /** For sessions that begin later. */
  const readOnly = (state: 'on' | 'off') =>
    writable.$executeRawUnsafe(
      `ALTER DATABASE ${new URL(database.url).pathname.slice(1)} SET default_transaction_read_only = ${state}`,
    );
  const data = () => ({ id: randomUUID(), name: 'Acme' });

  it.each<[string, (through: PrismaClient) => Promise<unknown>]>([
    ['a statement', (through) => through.$executeRaw`DELETE FROM auth.rate_limits`],
    ['a change', (through) => through.organization.create({ data: data() })],
    ['a transaction', (through) => through.$transaction((tx) => tx.organization.create({ data: data() }))],
    ['a transaction with SQL', (through) => through.$transaction((tx) => tx.$executeRaw`DELETE FROM auth.rate_limits`)],
  ])('is busy for %s, has done nothing, and is used again as soon as it can be written', async (_what, write) => {
    await readOnly('on');
    const through = openDatabase(database.url, { connections: 1 });

    const thrown = await thrownBy(write(through));

    await readOnly('off');
    expect(databaseBusy(thrown)?.extensions).toEqual({ ...busy, retryAfter: 1 });
    await write(through);
    await through.$disconnect();
  });
});

describe('a database that ends one of two transactions that wait for each other', () => {
  let database: TestDatabase;
  let through: PrismaClient;
  beforeAll(async () => {
    database = await createTestDatabase();
    through = openDatabase(database.url, { connections: 2 });
  });
  afterAll(async () => {
    await through.$disconnect();
    await database.drop();
  });

  type Rename = (tx: Prisma.TransactionClient, id: string) => Promise<unknown>;
  it.each<[string, Rename]>([
    ['a change', (tx, id) => tx.organization.update({ where: { id }, data: { name: 'Acme' } })],
    ['a statement', (tx, id) => tx.$executeRaw`UPDATE tenancy.organizations SET name = 'Acme' WHERE id = ${id}::uuid`],
  ])('is busy for %s of that one, and has done nothing', async (_what, rename) => {
    const [one, other] = [randomUUID(), randomUUID()];
    await through.organization.createMany({ data: [one, other].map((id) => ({ id, name: id })) });
    const [oneHeld, otherHeld] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const both = [
      { first: one, second: other, held: oneHeld, waits: otherHeld },
      { first: other, second: one, held: otherHeld, waits: oneHeld },
    ].map(({ first, second, held, waits }) =>
      thrownBy(
        through.$transaction(
          async (tx) => {
            await rename(tx, first);
            held.resolve();
            await waits.promise;
            await rename(tx, second);
          },
          { timeout: 60_000 },
        ),
      ),
    );

    const thrown = (await Promise.all(both)).filter((error) => error !== undefined);

    expect(thrown.map((error) => databaseBusy(error)?.extensions ?? error)).toEqual([{ ...busy, retryAfter: 1 }]);
  });
});

describe('a database that accepts connections and drops them', () => {
  let database: TestDatabase;
  let line: DatabaseLine;
  beforeAll(async () => {
    database = await createTestDatabase();
    line = await databaseLine(database.url);
  });
  afterAll(async () => {
    await line.stop();
    await database.drop();
  });
  const organization = () => ({ id: randomUUID(), name: 'Acme' });
  const writing: ((through: PrismaClient) => Promise<unknown>)[] = [
    (through) => through.$executeRaw`DELETE FROM auth.rate_limits`,
    (through) => through.organization.create({ data: organization() }),
    (through) => through.$transaction((tx) => tx.organization.create({ data: organization() })),
    (through) => through.$transaction([through.user.count(), through.organization.create({ data: organization() })]),
  ];

  it.each<[string, Parameters<DatabaseLine['breaks']>[0]]>([
    ['at once', 'accepted'],
    ['when it hears anything', 'heard'],
    ['before a statement', { at: 'auth' }],
    ['before a statement of its own tables', { at: 'INSERT' }],
    ['after a statement', { at: 'INSERT', after: true }],
    ['before the end of a transaction', { at: 'COMMIT' }],
    ['after the end of a transaction', { at: 'COMMIT', after: true }],
    ['as soon as it is ready for another statement, and says why', 'ready'],
    ['before a statement, and says why', { at: 'INSERT', says: true }],
    ['before the end of a transaction, and says why', { at: 'COMMIT', says: true }],
  ])('is busy when it does so %s, and the refusal says that the outcome is unknown', async (_when, how) => {
    const told: unknown[] = [];
    for (const write of writing)
      for (const connected of [false, true]) {
        line.breaks(undefined);
        const through = openDatabase(line.url, { connections: 1 });
        if (connected) await through.user.count();
        line.breaks(how);
        const thrown = await thrownBy(write(through));
        line.breaks(undefined);
        if (thrown !== undefined) told.push(databaseBusy(thrown)?.extensions ?? thrown);
        await expect.poll(() => through.user.count().catch(() => undefined)).toBe(0); // the pool recovers
        await through.$disconnect();
      }

    expect(told).not.toEqual([]);
    const unknown = { code: 'UPSTREAM_UNAVAILABLE', reason: 'DATABASE_BUSY', retryAfter: 1, outcome: 'UNKNOWN' };
    expect(told).toEqual(told.map(() => unknown));
  });

  it('may have committed the transaction: so the refusal does not call it failed', async () => {
    const through = openDatabase(line.url, { connections: 1 });
    const data = organization();
    line.breaks({ at: 'COMMIT', after: true });

    const thrown = await thrownBy(through.$transaction((tx) => tx.organization.create({ data })));

    line.breaks(undefined);
    expect(databaseBusy(thrown)?.extensions).toMatchObject({ outcome: 'UNKNOWN' });
    expect(await through.organization.count({ where: { id: data.id } })).toBe(1);
    await through.$disconnect();
  });

  it('is busy when it stops its sessions by itself', async () => {
    const through = openDatabase(database.url, { connections: 1 });
    const sleeping = thrownBy(through.$queryRaw`SELECT pg_sleep(30)::text`);
    const asleep = Prisma.sql`datname = current_database() AND query LIKE '%pg_sleep(30)%' AND pid <> pg_backend_pid()`;
    const other = openDatabase(database.url, { connections: 1 });
    await expect
      .poll(() => other.$executeRaw`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${asleep}`)
      .toBe(1);

    expect(databaseBusy(await sleeping)?.extensions).toMatchObject({ reason: 'DATABASE_BUSY', outcome: 'UNKNOWN' });
    await Promise.all([through.$disconnect(), other.$disconnect()]);
  });
});
