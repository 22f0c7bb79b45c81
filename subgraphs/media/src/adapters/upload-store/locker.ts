import { createHash } from 'node:crypto';

import { guarded } from '@foyer/shared/telemetry/guarded';
import type { Log } from '@foyer/shared/telemetry/log';
import type { Lock, Locker, RequestRelease } from '@tus/server';
import { ERRORS } from '@tus/server';
import { Client, type QueryResultRow } from 'pg';

interface Options {
  databaseUrl: string;
  log: Log;
}

/** How long a request waits for another that writes to the same upload. */
const MAX_WAIT_MS = 15_000;
const PAUSE_MS = 100;
const TOPIC = 'media_upload_wanted';

/** Lets one request at a time write to an upload, across all processes that share the database. */
export interface UploadLocker extends Locker {
  stop(): Promise<void>;
}

/**
 * Opens a locker on advisory locks of one PostgreSQL session of this process, which are released when the process dies. A
 * request that waits for a lock notifies its holder, whose request then ends.
 */
export function uploadLocker({ databaseUrl, log }: Options): UploadLocker {
  const held = new Map<string, RequestRelease>();
  const release = guarded(log, 'giving up an upload lock', (request?: RequestRelease) => request?.());
  let session: Promise<Client> | undefined;

  async function connect(): Promise<Client> {
    const client = new Client({ connectionString: databaseUrl, keepAlive: true, connectionTimeoutMillis: 5_000 });
    const onLoss = guarded(log, 'giving up upload locks', (error?: Error) => {
      if (session === opened) session = undefined;
      if (error) log.warn({ err: error }, 'upload locks: the connection was lost');
      for (const request of held.values()) release(request); // another process may take the locks now
    });
    client.on('error', onLoss).on('end', () => onLoss());
    client.on('notification', ({ payload }) => release(held.get(payload ?? '')));
    await client.connect();
    await client.query(`LISTEN ${TOPIC}`);
    return client;
  }
  let opened: Promise<Client> | undefined;
  function open(): Promise<Client> {
    if (session) return session;
    opened = connect();
    session = opened;
    session.catch(() => (session = undefined));
    return session;
  }

  let turn: Promise<unknown> = Promise.resolve();
  /** Sends queries one after the other: a connection runs one at a time. */
  function query<Row extends QueryResultRow>(text: string, values: string[]) {
    const result = turn.then(async () => (await open()).query<Row>(text, values));
    turn = result.catch(() => undefined);
    return result;
  }

  async function take(id: string): Promise<boolean> {
    if (held.has(id)) return false; // PostgreSQL would let the same session take it twice
    held.set(id, () => undefined);
    try {
      const { rows } = await query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [keyOf(id)]);
      if (!rows[0]?.taken) held.delete(id);
      return rows[0]?.taken === true;
    } catch (error) {
      held.delete(id);
      throw error;
    }
  }

  const newLock = (id: string): Lock => ({
    async lock(signal, endRequest) {
      const deadline = Date.now() + MAX_WAIT_MS;
      while (!(await take(id))) {
        if (signal.aborted || Date.now() > deadline) throw ERRORS.ERR_LOCK_TIMEOUT;
        await query('SELECT pg_notify($1, $2)', [TOPIC, id]);
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
      held.set(id, endRequest);
    },
    async unlock() {
      held.delete(id);
      await query('SELECT pg_advisory_unlock($1)', [keyOf(id)]);
    },
  });

  return {
    newLock,
    async stop() {
      const client = await session?.catch(() => undefined);
      session = undefined;
      await client?.end();
    },
  };
}

/** The key of the advisory lock: 64 bits of the id's digest. */
const keyOf = (id: string) => createHash('sha256').update(`upload ${id}`).digest().readBigInt64BE().toString();
