import { readFileSync } from 'node:fs';
import { glob, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import { endSilentConnections, type Silence } from '@foyer/shared/silent-connections';
import { PrismaPg } from '@prisma/adapter-pg';
import { ColumnTypeEnum, bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import * as wasm from '@prisma/schema-engine-wasm/schema_engine_bg';
import { DatabaseError, Pool, types, type QueryResult } from 'pg';

import { settleFailed, settleInterrupted, takeMigrationLock, type LockHolder } from './migration-lock.ts';
import { runMigration } from './migration-scripts.ts';

const root = join(import.meta.dirname, '..');
const filters = { externalTables: [], externalEnums: [] };

/** A migration that failed. Its message names it and the cause, which PostgreSQL reports and the engine drops. */
class MigrationError extends Error {
  override readonly name = 'MigrationError';
}

/** A migration may keep the machine of the database busy. */
const PATIENT: Silence = { lookAfterMs: 60_000, answerMs: 60_000 };

interface Options {
  /** Called with who has the lock of migrations, while it is waited for. */
  report(holder: LockHolder): void;
  /** When PostgreSQL counts as hanging, so that what waits for it fails. */
  silence?: Silence;
}

/**
 * Applies the missing migrations; returns their names.
 *
 * @throws {MigrationError} in one line. PostgreSQL has undone all of that migration, so that the next call tries it again
 */
export async function applyMigrations(databaseUrl: string, { report, silence = PATIENT }: Options): Promise<string[]> {
  const failed: unknown[] = [];
  const migrationsList = await migrations();
  const scripts = new Set(migrationsList.migrationDirectories.map(({ migrationFile }) => migrationFile.content.value));
  await using opened = await openEngine(databaseUrl, async (pool, script) => {
    await (scripts.has(script) ? runMigration(pool, script) : pool.query(script)).catch((error: unknown) => {
      failed.push(error);
      throw error;
    });
  });
  endSilentConnections(opened.pool, databaseUrl, silence);
  try {
    await takeMigrationLock(opened.pool, report);
    await settleInterrupted(opened.pool);
    const { appliedMigrationNames } = await opened.engine.applyMigrations({ migrationsList, filters });
    return appliedMigrationNames;
  } catch (error) {
    const cause = failed.at(-1);
    throw cause instanceof DatabaseError ? await migrationError(opened.pool, cause) : error;
  }
}

async function migrationError(pool: Pool, cause: DatabaseError): Promise<MigrationError> {
  const { message, where, detail, hint, code } = cause;
  const why = [message, detail, where, hint].filter(Boolean).join('; ').replaceAll(/\s+/g, ' ');
  const name = await settleFailed(pool, why).catch(() => undefined); // without a connection, the next start does it
  const what = name ? `the migration ${name}` : 'a migration';
  return new MigrationError(`${what} failed and was undone: ${why} (${code})`, { cause });
}

/**
 * Writes the migration that leads from the last migration to the models.
 *
 * @param databaseUrl a server on which scratch databases may be created
 * @returns its folder; null when nothing changed
 */
export async function createMigration(databaseUrl: string, name: string): Promise<string | null> {
  const script = await drift(databaseUrl);
  if (!script) return null;
  const stamp = new Date().toISOString().replaceAll(/\D/g, '').slice(0, 14);
  const folder = join(root, 'migrations', `${stamp}_${name}`);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'migration.sql'), `${script}\n`);
  return folder;
}

/** Returns the SQL that leads from the migrations to the models; empty when they agree. */
export const drift = async (databaseUrl: string): Promise<string> =>
  toModels(databaseUrl, { tag: 'migrations', ...(await migrations()) });

/** Returns the models as SQL for an empty database, without the parts in models/*.sql that the Prisma schema can't express. */
export const modelsAsSql = (databaseUrl: string): Promise<string> => toModels(databaseUrl, { tag: 'empty' });

async function toModels(databaseUrl: string, from: wasm.DiffTarget): Promise<string> {
  await using opened = await openEngine(databaseUrl);
  const { stdout } = await opened.engine.diff({
    from,
    to: { tag: 'schemaDatamodel', files: await models() },
    script: true,
    exitCode: null,
    filters,
  });
  return (stdout ?? '').trim() === '-- This is an empty migration.' ? '' : (stdout ?? '').trim();
}

let loaded = false;

/** Loads Prisma's engine as WebAssembly: the native one would be a download (docs/decisions/0003). */
function loadEngine() {
  if (loaded) return;
  loaded = true;
  // The engine reports its panics here; without it they surface as a TypeError.
  Object.assign(globalThis, {
    PRISMA_WASM_PANIC_REGISTRY: { set_message: (message: string) => void (panic = message) },
  });
  const require = createRequire(import.meta.url);
  const file = join(dirname(require.resolve('@prisma/schema-engine-wasm')), 'schema_engine_bg.wasm');
  const instance = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(file)), {
    './schema_engine_bg.js': wasm,
  });
  wasm.__wbg_set_wasm(instance.exports);
  (instance.exports['__wbindgen_start'] as () => void)();
}
let panic = '';

type RunScript = (pool: Pool, script: string) => Promise<unknown>;

const plainly: RunScript = (pool, script) => pool.query(script);

/** @param runScript runs what the engine wants to run on the database itself */
async function openEngine(databaseUrl: string, runScript = plainly) {
  loadEngine();
  const pool = openPool(databaseUrl);
  const others: Pool[] = [];
  const shadow = `prisma_shadow_${crypto.randomUUID()}`;
  const factory = bindMigrationAwareSqlAdapterFactory({
    provider: 'postgres',
    adapterName: '@prisma/adapter-pg',
    connect: () => catalogAdapter(pool, runScript),
    // An empty database, to which the engine applies the migrations to compare it with the models.
    async connectToShadowDb() {
      await pool.query(`CREATE DATABASE "${shadow}"`);
      const other = openPool(Object.assign(new URL(databaseUrl), { pathname: `/${shadow}` }).href);
      others.push(other);
      return catalogAdapter(other, plainly);
    },
  });
  const datamodels = (await models()).map(({ path, content }): [string, string] => [path, content]);
  const engine = await wasm.SchemaEngine.new({ datamodels }, () => undefined, factory).catch((error: unknown) => {
    throw new Error(panic || 'the schema engine did not start', { cause: error });
  });
  return {
    engine,
    pool,
    // The engine leaves its connections open, and with them the lock that prevents concurrent migrations.
    async [Symbol.asyncDispose]() {
      engine.free();
      for (const other of others) await other.end();
      // Only if there is one: on a connection that has failed, this would fail, too, and hide the cause.
      if (others.length > 0) await pool.query(`DROP DATABASE IF EXISTS "${shadow}"`);
      await pool.end();
    },
  };
}

/** One connection, which keeps its lock however long nothing is asked of it. */
function openPool(connectionString: string): CatalogPool {
  const pool = new CatalogPool({
    connectionString,
    application_name: 'foyer migrations',
    max: 1,
    idleTimeoutMillis: 0,
  });
  pool.on('error', () => undefined); // the next query reports it
  return pool;
}

async function models() {
  const files = await Array.fromAsync(glob('models/*.prisma', { cwd: root }));
  return Promise.all(
    files.toSorted().map(async (path) => ({ path, content: await readFile(join(root, path), 'utf8') })),
  );
}

async function migrations() {
  const files = await Array.fromAsync(glob('migrations/*/migration.sql', { cwd: root }));
  return {
    baseDir: join(root, 'migrations'),
    lockfile: {
      path: 'migration_lock.toml',
      content: await readFile(join(root, 'migrations/migration_lock.toml'), 'utf8'),
    },
    shadowDbInitScript: '',
    migrationDirectories: await Promise.all(
      files.toSorted().map(async (file) => ({
        path: file.split('/')[1] ?? '',
        migrationFile: {
          path: 'migration.sql',
          content: { tag: 'ok' as const, value: await readFile(join(root, file), 'utf8') },
        },
      })),
    ),
  };
}

const CHAR_OID = 18;

/** The indexes of the columns of type `"char"`, by the rows of the result. */
const charColumns = new WeakMap<object, number[]>();

/** Returns `"char"`, the one-byte type of PostgreSQL's catalog that the adapter does not know, as text … */
class CatalogPool extends Pool {
  override query: Pool['query'] = async (...args: unknown[]) => {
    const answer: QueryResult | QueryResult[] = await super.query(...(args as [string]));
    for (const { fields, rows } of [answer].flat()) {
      const chars = fields.flatMap(({ dataTypeID }, index) => (dataTypeID === CHAR_OID ? [index] : []));
      for (const index of chars) Object.assign(fields[index] ?? {}, { dataTypeID: types.builtins.TEXT });
      charColumns.set(rows, chars);
    }
    return answer as never;
  };
}

/** … and marks it as a character afterwards, as the engine expects. */
async function catalogAdapter(pool: CatalogPool, runScript: RunScript) {
  const adapter = await new PrismaPg(pool).connect();
  const queryRaw = adapter.queryRaw.bind(adapter);
  adapter.queryRaw = async (query) => {
    const result = await queryRaw(query);
    for (const index of charColumns.get(result.rows) ?? []) result.columnTypes[index] = ColumnTypeEnum.Character;
    return result;
  };
  // The adapter itself splits a script at every semicolon, also within the body of a function.
  adapter.executeScript = async (script) => void (await runScript(pool, script));
  return adapter;
}
