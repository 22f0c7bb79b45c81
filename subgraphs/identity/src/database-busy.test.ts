import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { databaseBusy } from '@foyer/shared/database-busy';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openDatabase, type PrismaClient } from '@foyer/prisma/client';
import { startEmbeddedPostgres } from '@foyer/prisma/embedded';

let folder: string;
let postgres: Awaited<ReturnType<typeof startEmbeddedPostgres>>;
let db: PrismaClient;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-busy-'));
  postgres = await startEmbeddedPostgres(join(folder, 'postgres'), { durable: false });
  db = openDatabase(postgres.url, { connections: 1, connectionTimeoutMs: 200 });
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

  it('but not when the statement is wrong, or a transaction is used after its end: that is a bug of ours', async () => {
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
