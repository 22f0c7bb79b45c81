import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Client } from 'pg';
import type { TestProject } from 'vitest/node';

import { startEmbeddedPostgres } from '../embedded.ts';
import { deployMigrations } from '../migrate.ts';
import { migratedTemplate } from './test-database.ts';

/** Files run two at a time, and some of them open several instances of a subgraph. */
const CONNECTIONS = 300;

/**
 * Vitest's global set-up: one PostgreSQL for all test files of a run, with a migrated database to copy. It is not durable:
 * a crash of the machine loses its data. Where several projects run at once, the first starts it for all.
 */
export default async function startPostgresForTheRun({ vitest }: TestProject) {
  const run = vitest.getRootProject();
  if ('postgresUrl' in run.getProvidedContext()) return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'foyer-run-'));
  const postgres = await startEmbeddedPostgres(folder, { durable: false, connections: CONNECTIONS });
  const main = new Client({ connectionString: postgres.url });
  await main.connect();
  await main.query(`CREATE DATABASE ${migratedTemplate}`);
  await main.end();
  await deployMigrations(Object.assign(new URL(postgres.url), { pathname: `/${migratedTemplate}` }).href);
  run.provide('postgresUrl', postgres.url);

  return async () => {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  };
}
