import { Client, Pool } from 'pg';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { deployMigrations } from './migrate.ts';
import { takeMigrationLock, type LockHolder } from './migration-lock.ts';
import { runMigration } from './migration-scripts.ts';
import { applyMigrations } from './schema-engine.ts';
import { databaseLine } from './testing/database-line.ts';
import { createTestDatabase, type TestDatabase } from './testing/test-database.ts';

/** The lock of Prisma's engine, which prevents migrations at the same time. */
const MIGRATION_LOCK = 72_707_369;

/** The end of the test database may reach a connection that is being closed. */
const poolOf = ({ url }: TestDatabase) => new Pool({ connectionString: url, max: 1 }).on('error', () => undefined);

it('migrations that lose the database say so', async () => {
  const [away, other] = await Promise.all([createTestDatabase('nothing'), createTestDatabase('nothing')]);
  const name = new URL(away.url).pathname.slice(1);
  const [holder, main] = [away, other].map(({ url }) => new Client({ connectionString: url }));
  holder?.on('error', () => undefined);
  await Promise.all([holder?.connect(), main?.connect()]);
  await holder?.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);

  const outcome = deployMigrations(away.url).then(
    () => 'migrated',
    (error: unknown) => (error as Error).message,
  );
  const waiting = `FROM pg_stat_activity WHERE datname = $1 AND query LIKE '%try_advisory_lock%'`;
  await expect
    .poll(async () => (await main?.query(`SELECT 1 ${waiting}`, [name]))?.rowCount, { timeout: 20_000 })
    .toBe(1);
  await main?.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
  // Not the holder: with the lock free, the migrations would go on, and fail by whatever they do next.
  await main?.query(`SELECT pg_terminate_backend(pid) ${waiting}`, [name]);

  expect(await outcome).toContain('terminating connection');
  await main?.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
  await Promise.all([holder?.end(), main?.end()]);
  await Promise.all([away.drop(), other.drop()]);
});

describe('migrations that wait for others', () => {
  let database: TestDatabase;
  let holder: Client;
  beforeEach(async () => {
    database = await createTestDatabase('nothing');
    holder = new Client({ connectionString: database.url, application_name: 'an upgrade' });
    await holder.connect();
    await holder.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
  });
  afterEach(async () => {
    vi.useRealTimers();
    await holder.end();
    await database.drop();
  });

  it('say for whom, after a while and each minute', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const pool = poolOf(database);
    const reports: LockHolder[] = [];
    const taken = takeMigrationLock(pool, (found) => void reports.push(found));

    await expect.poll(async () => (vi.advanceTimersByTime(100), reports.length), { timeout: 20_000 }).toBe(1);
    const moments = new Set<string>();
    const asked = async () => {
      const { rows } = await holder.query<{ at: string }>(`SELECT query_start::text AS at FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid() AND query LIKE '%try_advisory_lock%'`);
      for (const { at } of rows) moments.add(at);
      return moments.size;
    };
    await expect.poll(asked, { timeout: 20_000 }).toBe(4);
    expect(reports).toHaveLength(1);
    vi.advanceTimersByTime(60_000);
    await expect.poll(() => reports.length).toBe(2);

    await holder.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]);
    await taken;
    const { rows } = await holder.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const told = { pid: rows[0]?.pid, application: 'an upgrade', state: 'idle', since: expect.any(Date) };
    expect(reports).toEqual([told, told].map((each) => expect.objectContaining(each)));
    await pool.end();
  });

  it.each([
    ['hangs', 'silent'],
    ['is another one now, as after a failover', 'lost'],
  ] as const)('end when their database %s', async (_how, breaking) => {
    const line = await databaseLine(database.url);
    const isWaiting = async () =>
      (
        await holder.query(`SELECT 1 FROM pg_stat_activity
        WHERE datname = current_database() AND query LIKE '%try_advisory_lock%'`)
      ).rowCount;
    const silence = { lookAfterMs: 100, answerMs: 3_000 };
    const outcome = applyMigrations(line.url, { report: () => undefined, silence }).catch(
      (error: unknown) => (error as Error).message,
    );
    await expect.poll(isWaiting, { timeout: 20_000 }).toBe(2);

    line.breaks(breaking);

    expect(await outcome).toMatch(/^(?:Connection terminated|Client was closed)/); // between two questions it is closed, too
    await line.stop();
  });
});

describe('a migration', () => {
  /** It only builds an index of orders, which needs a lock of their table. */
  const ofOrders = '20261128175000_orders_of_an_address';
  let database: TestDatabase;
  let db: Client;
  const others: Client[] = [];

  const connect = async () => {
    const client = new Client({ connectionString: database.url });
    await client.connect();
    others.push(client);
    return client;
  };

  beforeEach(async () => {
    database = await createTestDatabase('tables');
    db = await connect();
    await db.query('DROP INDEX ticketing.order_ticket_group_buyer_email_idx');
  });
  afterEach(async () => {
    for (const client of others.splice(0)) await client.end();
    await database.drop();
  });

  /** The database may be removed before its connection has ended, which is no error. */
  const openPool = () => poolOf(database);

  const forget = () => db.query('DELETE FROM _prisma_migrations WHERE migration_name = $1', [ofOrders]);
  /** Copies of a database have the same ids. */
  const wanted = `FROM pg_locks JOIN pg_database d ON d.oid = database AND datname = current_database() WHERE NOT granted`;
  const waiting = `${wanted} AND relation = 'ticketing.order_ticket_group'::regclass`;
  const isWaiting = async () => (await db.query(`SELECT 1 ${waiting}`)).rowCount;
  const isLockWanted = async () =>
    (await db.query(`SELECT 1 ${wanted} AND locktype = 'advisory' AND objid = $1`, [MIGRATION_LOCK])).rowCount;

  it('whose process was killed is applied at the next start', async () => {
    // As a killed process leaves it; PostgreSQL has undone the rest.
    await db.query(
      'UPDATE _prisma_migrations SET finished_at = NULL, applied_steps_count = 0 WHERE migration_name = $1',
      [ofOrders],
    );

    expect(await deployMigrations(database.url)).toEqual([ofOrders]);
    expect(await deployMigrations(database.url)).toEqual([]);
  });

  it('is finished as soon as it is committed, though its process is killed before the engine has recorded that', async () => {
    await forget();
    await db.query(`
      CREATE FUNCTION public.killed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'killed'; END $$;
      CREATE TRIGGER killed BEFORE UPDATE ON _prisma_migrations FOR EACH ROW WHEN (OLD.finished_at IS NOT NULL)
        EXECUTE FUNCTION public.killed()`);
    await expect(deployMigrations(database.url)).rejects.toThrow('killed');
    await db.query('DROP TRIGGER killed ON _prisma_migrations');

    expect(await deployMigrations(database.url)).toEqual([]);
  });

  it('that waits for a table lets those pass who want it meanwhile', async () => {
    await forget();
    await db.query('BEGIN; LOCK TABLE ticketing.order_ticket_group IN ROW EXCLUSIVE MODE');
    const migrated = deployMigrations(database.url);
    await expect.poll(isWaiting, { timeout: 20_000 }).toBe(1);

    const buyer = await connect();
    await buyer.query('BEGIN; LOCK TABLE ticketing.order_ticket_group IN ROW EXCLUSIVE MODE; COMMIT');

    await db.query('COMMIT');
    expect(await migrated).toEqual([ofOrders]);
  });

  it('that is undone because it and another transaction wait for each other is run again', async () => {
    const script = `DO $$ BEGIN
      IF nextval('public.tries') = 1 THEN RAISE 'deadlock detected' USING ERRCODE = '40P01'; END IF;
    END $$;`;
    await db.query('CREATE SEQUENCE public.tries');
    await db.query('UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name = $1', [ofOrders]);
    const pool = openPool();

    await runMigration(pool, script);
    const { rows } = await db.query('SELECT last_value::int AS tries FROM public.tries');
    expect(rows).toEqual([{ tries: 2 }]);
    await pool.end();
  });

  it('that waits for a table again keeps others from migrating meanwhile', async () => {
    await forget();
    await db.query('BEGIN; LOCK TABLE ticketing.order_ticket_group IN ROW EXCLUSIVE MODE');
    const migrated = deployMigrations(database.url);
    await expect.poll(isWaiting, { timeout: 20_000 }).toBe(1);
    const [next, buyer] = [await connect(), await connect()];
    const locked = next.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await expect.poll(isLockWanted).toBe(1);

    await buyer.query('BEGIN; LOCK TABLE ticketing.order_ticket_group IN ROW EXCLUSIVE MODE; COMMIT');
    await expect.poll(isWaiting, { timeout: 20_000 }).toBe(1); // once more
    expect(await isLockWanted()).toBe(1);

    await db.query('COMMIT');
    expect(await migrated).toEqual([ofOrders]);
    await locked;
  });

  it('whose connection is ended is not marked as undone while another process has the lock', async () => {
    await forget();
    await db.query('BEGIN; LOCK TABLE ticketing.order_ticket_group IN ROW EXCLUSIVE MODE');
    const outcome = deployMigrations(database.url).catch((error: Error) => error.message);
    await expect.poll(isWaiting, { timeout: 20_000 }).toBe(1);
    const next = await connect();
    const locked = next.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await expect.poll(isLockWanted).toBe(1);
    const ended = () => db.query(`SELECT pg_terminate_backend(pid) ${waiting}`);
    await expect.poll(async () => (await ended()).rowCount, { timeout: 20_000 }).toBe(1);
    await locked;

    expect(await outcome).toContain('terminating connection');
    const { rows } = await db.query('SELECT rolled_back_at FROM _prisma_migrations WHERE migration_name = $1', [
      ofOrders,
    ]);
    expect(rows).toEqual([{ rolled_back_at: null }]);
    await db.query('COMMIT');
  });

  it('that another process has taken over meanwhile is undone', async () => {
    const pool = openPool();
    await forget(); // as by a process that has the lock now: none is under way

    const run = runMigration(pool, 'CREATE TABLE ticketing.made_twice (id integer)');
    await expect(run).rejects.toThrow('another process has taken over');
    const { rows } = await db.query(`SELECT to_regclass('ticketing.made_twice') AS made`);
    expect(rows).toEqual([{ made: null }]);
    await pool.end();
  });

  it('that builds an index concurrently does so again when that broke off', async () => {
    const script = `-- The orders of an address.
      CREATE INDEX CONCURRENTLY IF NOT EXISTS orders_of_an_address ON ticketing.order_ticket_group (buyer_email);`;
    const pool = openPool();
    const isValid = async () => {
      const { rows } = await db.query(`SELECT indisvalid FROM pg_index
        WHERE indexrelid = 'ticketing.orders_of_an_address'::regclass`);
      return rows[0]?.indisvalid;
    };
    await runMigration(pool, script);
    await db.query(`UPDATE pg_index SET indisvalid = false
      WHERE indexrelid = 'ticketing.orders_of_an_address'::regclass`);

    await runMigration(pool, script);
    expect(await isValid()).toBe(true);

    await runMigration(pool, script); // as after a kill between its end and the record of it
    expect(await isValid()).toBe(true);
    await pool.end();
  });

  it('that builds an index concurrently does so again when it and who waits for its lock wait for each other', async () => {
    const script = `CREATE INDEX CONCURRENTLY IF NOT EXISTS orders_of_an_address ON ticketing.order_ticket_group (buyer_email);`;
    const pool = openPool();
    await takeMigrationLock(pool, () => undefined);
    const program = await connect();
    await program.query(`SET deadlock_timeout = '1h'`); // as after its wait has been looked at: the index is what is ended
    const { rows: own } = await program.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const locked = program.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]).catch(() => 'gave up');
    await expect.poll(isLockWanted).toBe(1);

    const outcome = runMigration(pool, script).catch((error: unknown) => (error as Error).message);
    const begun = new Set<number>();
    const begin = async () => {
      const { rows } = await db.query<{ id: number }>(`SELECT indexrelid AS id FROM pg_index
        WHERE indexrelid = to_regclass('ticketing.orders_of_an_address')`);
      for (const { id } of rows) begun.add(id);
      return begun.size;
    };
    await expect.poll(begin, { timeout: 20_000 }).toBe(2);
    await db.query('SELECT pg_cancel_backend($1)', [own[0]?.pid]);

    expect([await locked, await outcome]).toEqual(['gave up', undefined]);
    const { rows } = await db.query(`SELECT indisvalid AS valid FROM pg_index
      WHERE indexrelid = 'ticketing.orders_of_an_address'::regclass`);
    expect(rows).toEqual([{ valid: true }]);
    await pool.end();
  });
});
