import { databaseBusy } from '@foyer/shared/database-errors';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openDatabase, type PrismaClient } from './client.ts';
import { databaseLine, type DatabaseLine } from './testing/database-line.ts';
import { createTestDatabase, type TestDatabase } from './testing/test-database.ts';

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

/** Long enough for an answer of a busy machine. */
const silence = { lookAfterMs: 100, answerMs: 3_000 };

const patient = { maxWait: 60_000, timeout: 60_000 };

describe.each([
  ['that hangs, with its connections open', 'silent'],
  ['whose address another server has taken over, which knows nothing of the connections', 'lost'],
] as const)('a database %s', (_database, how) => {
  it.each<[string, (db: PrismaClient, hang: () => void) => Promise<unknown>]>([
    ['a statement', (db, hang) => (hang(), db.$queryRaw`SELECT 1`)],
    ['a read', (db, hang) => (hang(), db.user.count())],
    ['a transaction', (db, hang) => (hang(), db.$transaction((tx) => tx.user.count(), patient))],
    [
      'the next statement of a transaction',
      (db, hang) => db.$transaction(async (tx) => [await tx.user.count(), hang(), await tx.user.count()], patient),
    ],
  ])('is busy for %s that waits for it, and is used again when it answers', async (_what, work) => {
    const db = openDatabase(line.url, { connections: 1, silence });
    await db.user.count();

    const thrown: unknown = await work(db, () => line.breaks(how)).catch((error: unknown) => error);

    expect(databaseBusy(thrown)?.extensions).toMatchObject({ reason: 'DATABASE_BUSY', outcome: 'UNKNOWN' });
    line.breaks(undefined);
    await expect.poll(() => db.user.count().catch(() => undefined)).toBe(0);
    await db.$disconnect();
  });
});

it('a statement takes as long as it needs while the database answers others', async () => {
  const db = openDatabase(database.url, { connections: 1, silence: { lookAfterMs: 10, answerMs: 60_000 } });
  expect(await db.$queryRaw`SELECT 'done' AS state FROM pg_sleep(0.5)`).toEqual([{ state: 'done' }]);
  await db.$disconnect();
});
