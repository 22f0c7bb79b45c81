import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { openDatabase, Prisma, type PrismaClient } from './client.ts';
import { deleteInBatches } from './delete-in-batches.ts';
import { createTestDatabase, type TestDatabase } from './testing/test-database.ts';

let database: TestDatabase;
let db: PrismaClient;
const statements: string[] = [];

beforeAll(async () => {
  database = await createTestDatabase('nothing');
  db = openDatabase(database.url, { onQuery: (sql) => void statements.push(sql) });
  await db.$executeRaw`CREATE TABLE parcel (id int PRIMARY KEY, delivered boolean NOT NULL)`;
});
afterAll(async () => {
  await db?.$disconnect();
  await database?.drop();
});

const PARCELS = 12_000;
const delivered = { from: 'parcel', where: Prisma.sql`delivered` };
const left = async () => {
  const rows = await db.$queryRaw<{ id: number }[]>`SELECT id FROM parcel ORDER BY id`;
  return rows.map(({ id }) => id);
};

beforeEach(async () => {
  await db.$executeRaw`DELETE FROM parcel`;
  await db.$executeRaw`INSERT INTO parcel SELECT id, id > 2 FROM generate_series(1, ${PARCELS}::int) id`;
  statements.length = 0;
});

describe('rows that are over', () => {
  it('are deleted by many statements, and no others', async () => {
    expect(await deleteInBatches(db, delivered)).toBe(PARCELS - 2);

    expect(await left()).toEqual([1, 2]);
    expect(statements.filter((sql) => sql.includes('DELETE')).length).toBeGreaterThan(2);
  });

  it('are left to the next time while somebody has locked them', async () => {
    await db.$transaction(async (tx) => {
      await tx.$executeRaw`UPDATE parcel SET delivered = delivered WHERE id = 5`;
      expect(await deleteInBatches(db, delivered)).toBe(PARCELS - 3);
    });
    expect(await left()).toEqual([1, 2, 5]);

    expect(await deleteInBatches(db, delivered)).toBe(1);
  });

  it('stay when the process stops', async () => {
    await expect(deleteInBatches(db, { ...delivered, signal: AbortSignal.abort() })).rejects.toThrow();

    expect(await left()).toHaveLength(PARCELS);
  });
});
