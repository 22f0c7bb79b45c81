import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded.ts';
import { deployMigrations, drift, migrationNames } from './migrate.ts';

let folder: string;
let postgres: EmbeddedPostgres;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-drift-'));
  postgres = await startEmbeddedPostgres(folder, { durable: false });
});

afterAll(async () => {
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
});

describe('the migrations', () => {
  it('make exactly the tables that the models describe', async () => {
    expect(await drift(postgres.url)).toBe('');
  });

  it('are each applied once', async () => {
    expect(await deployMigrations(postgres.url)).toEqual(await migrationNames());
    expect(await deployMigrations(postgres.url)).toEqual([]);
  });
});
