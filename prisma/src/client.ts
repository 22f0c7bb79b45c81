import type { EventEmitter } from 'node:events';
import { setFlagsFromString } from 'node:v8';

import { endSilentConnections, type Silence } from '@foyer/shared/silent-connections';
import { PrismaPg } from '@prisma/adapter-pg';
import { Pool, type PoolClient } from 'pg';

import { PrismaClient, type Prisma } from '../generated/client.ts';
import { watchPool } from './pool-metrics.ts';
import { statementNames } from './statement-names.ts';

export { Prisma } from '../generated/client.ts';
export type * from '../generated/client.ts';
export { PrismaClient };

// Prisma's query compiler is WebAssembly, and reads all models when it is opened: enough for V8 to optimize much of it, at
// the cost of a third of a second of CPU, although each query is compiled only once. Code that is really hot is still
// optimized.
setFlagsFromString('--wasm-tiering-budget=200000000');

type Model = { [Key in keyof PrismaClient]: Key extends `$${string}` ? never : Key }[keyof PrismaClient];
type Sql = '$queryRaw' | '$executeRaw' | '$queryRawUnsafe';

/** The client within a transaction, narrowed to some models. */
export type TransactionOf<Models extends Model> = Pick<
  Prisma.TransactionClient,
  (Models | Sql) & keyof Prisma.TransactionClient
>;

/** The client narrowed to the models of one owner, so that a subgraph can't access those of another. */
export type DatabaseOf<Models extends Model> = Pick<PrismaClient, Models | Sql> & {
  $transaction<Result>(
    run: (tx: TransactionOf<Models>) => Promise<Result>,
    options?: { maxWait?: number; timeout?: number; isolationLevel?: Prisma.TransactionIsolationLevel },
  ): Promise<Result>;
};

/** A new connection costs PostgreSQL a process, and both sides the plans that they have kept: pg's default is ten seconds. */
const IDLE_MS = 60_000;

/** SQLSTATE of a change in a session that is read-only, as all are after a failover to a replica. */
const READ_ONLY = '25006';

/** Such a session stays read-only when the database no longer is, and the pool would keep one that was in a transaction. */
function endReadOnlySessions(pool: Pool): void {
  const readOnly = new WeakSet<PoolClient>();
  pool.on('connect', (client) => {
    const { connection } = client as unknown as { connection: EventEmitter };
    connection.on('errorMessage', ({ code }: { code?: string }) => code === READ_ONLY && readOnly.add(client));
  });
  pool.on('release', (_error, client) => readOnly.has(client) && void client.end());
}

/**
 * Opens the database.
 *
 * @param connections the size of the pool; a hot row is fastest with about eight (design: reservation)
 * @param connectionTimeoutMs how long a statement waits for a connection
 * @param silence when PostgreSQL counts as hanging, so that what waits for it fails
 * @param onQuery called with every statement that is sent, and its parameters as JSON: each is a round trip
 */
export function openDatabase(
  url: string,
  {
    connections = 8,
    connectionTimeoutMs = 10_000,
    silence,
    onQuery,
  }: {
    connections?: number;
    connectionTimeoutMs?: number;
    silence?: Silence;
    onQuery?: (sql: string, parameters: string) => void;
  } = {},
): PrismaClient {
  const pool = new Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: connectionTimeoutMs,
    idleTimeoutMillis: IDLE_MS,
  });
  // The pool removes an idle connection that breaks; without a listener its error would end the process.
  pool.on('error', () => undefined);
  // So would that of a connection that breaks between two statements of a transaction, or before its first one. Whoever uses
  // the connection next is told.
  pool.on('connect', (client) => client.on('error', () => undefined));
  endSilentConnections(pool, url, silence);
  endReadOnlySessions(pool);
  watchPool(pool);
  const adapter = new PrismaPg(pool, { disposeExternalPool: true, statementNameGenerator: statementNames() });
  if (!onQuery) return new PrismaClient({ adapter });
  const listening = new PrismaClient({ adapter, log: [{ emit: 'event', level: 'query' }] });
  listening.$on('query', ({ query, params }) => onQuery(query, params));
  return listening;
}
