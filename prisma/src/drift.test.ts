import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { deployMigrations, drift, migrationNames } from './migrate.ts';
import { createTestDatabase, type TestDatabase } from './testing/test-database.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase({ empty: true });
});

afterAll(async () => {
  await database.drop();
});

describe('the migrations', () => {
  it('make exactly the tables that the models describe', async () => {
    expect(await drift(database.url)).toBe('');
  });

  it('are each applied once', async () => {
    expect(await deployMigrations(database.url)).toEqual(await migrationNames());
    expect(await deployMigrations(database.url)).toEqual([]);
  });
});
