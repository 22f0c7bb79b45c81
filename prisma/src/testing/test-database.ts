import { randomUUID } from 'node:crypto';

import { Pool } from 'pg';
import { inject } from 'vitest';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where the PostgreSQL of this run is, with the password of its superuser. */
    postgresUrl: string;
  }
}

/** The databases that {@link createTestDatabase} copies; no connection to them may stay open. */
export const migratedTemplate = 'foyer_migrated';
const seededTemplate = 'foyer';
const SEEDED = 'seeded_';

/** A database that exists for the length of a test. */
export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

/** What a test database contains: tables, nothing, or all that a server has written at its first start (e2e tests only). */
type Content = 'tables' | 'nothing' | 'seeds';

const templates: Record<Content, string> = { tables: migratedTemplate, nothing: 'template0', seeds: seededTemplate };

/** Creates a database on the PostgreSQL of this run. */
export const createTestDatabase = (content?: Content): Promise<TestDatabase> =>
  createDatabaseOn(inject('postgresUrl'), content);

/** Creates a test database from vitest's set-up, outside of a test file. */
export async function createDatabaseOn(postgresUrl: string, content: Content = 'tables'): Promise<TestDatabase> {
  const name = `${content === 'seeds' ? SEEDED : 'test_'}${randomUUID().replaceAll('-', '')}`;
  await on(postgresUrl, `CREATE DATABASE ${name} TEMPLATE ${templates[content]}`);
  return {
    url: Object.assign(new URL(postgresUrl), { pathname: `/${name}` }).href,
    drop: () => on(postgresUrl, `DROP DATABASE ${name} WITH (FORCE)`),
  };
}

/** Whether it was created with `seeds`. */
export const hasSeeds = (databaseUrl: string): boolean => new URL(databaseUrl).pathname.startsWith(`/${SEEDED}`);

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
