import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';

import { Client } from 'pg';
import type { TestProject } from 'vitest/node';

import { startEmbeddedPostgres } from '../embedded.ts';
import { deployMigrations } from '../migrate.ts';
import { makeDatabaseFolder } from './database-folder.ts';
import { migratedTemplate } from './test-database.ts';

/** Files run three at a time, and some of them open several instances of a subgraph. */
const CONNECTIONS = 300;

/**
 * Vitest's global set-up: one PostgreSQL for all test files of a run, with a migrated database to copy. It is not durable:
 * a crash of the machine loses its data. Where several projects run at once, the first starts it for all.
 */
export default (project: TestProject) => startPostgresForTheRun(project);

/**
 * Starts the PostgreSQL of the run.
 *
 * @param seeded finds the folder of a stopped embedded PostgreSQL with the database of a server, which can be copied, too
 */
export async function startPostgresForTheRun({ vitest }: TestProject, seeded?: () => Promise<string>) {
  const run = vitest.getRootProject();
  if ('postgresUrl' in run.getProvidedContext()) return undefined;
  const folder = await makeDatabaseFolder();
  if (seeded) await promisify(execFile)('cp', ['-a', `${await seeded()}/.`, folder]); // with its owner
  const postgres = await startEmbeddedPostgres(folder, { durable: false, connections: CONNECTIONS });
  // Not the database of the server: it can only be copied while nobody is connected.
  const main = databaseAt(postgres.url, 'postgres');
  await execute(main, `CREATE DATABASE ${migratedTemplate}`);
  await deployMigrations(databaseAt(postgres.url, migratedTemplate));
  run.provide('postgresUrl', main);

  return async () => {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  };
}

const databaseAt = (url: string, name: string) => Object.assign(new URL(url), { pathname: `/${name}` }).href;

async function execute(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(statement);
  await client.end();
}
