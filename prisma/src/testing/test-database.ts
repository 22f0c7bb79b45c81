import { randomUUID } from 'node:crypto';

import { Pool } from 'pg';
import { inject } from 'vitest';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where the PostgreSQL of this run is, with the password of its superuser. */
    postgresUrl: string;
  }
}

/** The database that {@link createTestDatabase} copies; no connection to it may stay open. */
export const migratedTemplate = 'foyer_migrated';

/** A database that exists for the length of a test. */
export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

/**
 * Creates a database on the PostgreSQL of this run: migrated and without rows.
 *
 * @param empty without tables too
 */
export const createTestDatabase = (options: { empty?: boolean } = {}): Promise<TestDatabase> =>
  createDatabaseOn(inject('postgresUrl'), options);

/** Creates a test database from vitest's set-up, outside of a test file. */
export async function createDatabaseOn(postgresUrl: string, { empty = false } = {}): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await on(postgresUrl, `CREATE DATABASE ${name} TEMPLATE ${empty ? 'template0' : migratedTemplate}`);
  return {
    url: Object.assign(new URL(postgresUrl), { pathname: `/${name}` }).href,
    drop: () => on(postgresUrl, `DROP DATABASE ${name} WITH (FORCE)`),
  };
}

/** By the URL of the PostgreSQL: a connection costs more than the statement. */
const mains = new Map<string, Pool>();

async function on(postgresUrl: string, statement: string): Promise<void> {
  const main = mains.get(postgresUrl) ?? openMain(postgresUrl);
  mains.set(postgresUrl, main);
  await main.query(statement);
}

function openMain(postgresUrl: string): Pool {
  const main = new Pool({ connectionString: postgresUrl, max: 2, idleTimeoutMillis: 60_000, allowExitOnIdle: true });
  main.on('error', () => undefined); // PostgreSQL stops before this process does
  return main;
}
