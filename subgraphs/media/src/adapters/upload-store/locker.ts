import { createHash } from 'node:crypto';

import { guarded } from '@foyer/shared/telemetry/guarded';
import type { Log } from '@foyer/shared/telemetry/log';
import type { Lock, Locker, RequestRelease } from '@tus/server';
import { ERRORS } from '@tus/server';
import { Client, type QueryResultRow } from 'pg';

interface Options {
  databaseUrl: string;
  log: Log;
  /** How long PostgreSQL may take to answer: none of these queries waits for anything. */
  answerMs?: number;
}

/** How long a request waits for another that writes to the same upload. */
const MAX_WAIT_MS = 15_000;
const PAUSE_MS = 100;
/** How many requests wait for one upload in a process at most: a client has one or two, and anybody can send more. */
const MOST_WAITING = 8;
const TOPIC = 'media_upload_wanted';

/** Lets one request at a time write to an upload, across all processes that share the database. */
export interface UploadLocker extends Locker {
  stop(): Promise<void>;
}

/**
 * Opens a locker on advisory locks of one PostgreSQL session of this process, which are released when the process dies. A
 * request that waits for a lock asks its holder to end: directly inside of this process, else by a notification.
 */
export function uploadLocker({ databaseUrl, log, answerMs = 30_000 }: Options): UploadLocker {
  const held = new Map<string, RequestRelease>();
  const release = guarded(log, 'giving up an upload lock', (request?: RequestRelease) => request?.());
  let session: Promise<Client> | undefined;

  async function connect(lost: () => void): Promise<Client> {
    const client = new Client({
      connectionString: databaseUrl,
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
      query_timeout: answerMs,
    });
    let isLost = false;
    const onLoss = guarded(log, 'giving up upload locks', (error?: Error) => {
      if (isLost) return; // it also closes, after a while: by then the locks are those of the next one
      isLost = true;
      lost();
      if (error) log.warn({ err: error }, 'upload locks: the connection was lost');
      for (const request of held.values()) release(request); // another process may take the locks now
    });
    client.on('error', onLoss).on('end', () => onLoss());
    client.on('notification', ({ payload }) => release(held.get(payload ?? '')));
    await client.connect();
    await client.query(`LISTEN ${TOPIC}`);
    return client;
  }
  function open(): Promise<Client> {
    if (session) return session;
    const forget = () => {
      if (session === opened) session = undefined;
    };
    const opened = connect(forget);
    session = opened;
    opened.catch(forget);
    return opened;
  }

  let turn: Promise<unknown> = Promise.resolve();
  /** Sends queries one after the other: a connection runs one at a time. */
  function query<Row extends QueryResultRow>(text: string, values: string[]) {
    const result = turn.then(async () => {
      const opened = open();
      const client = await opened;
      const answer = await client.query<Row>(text, values).catch((error: unknown) => {
        void client.end(); // it hangs, or is lost: the next query gets another one
        throw error;
      });
      if (session !== opened) throw new Error('the connection was lost with its answer'); // and the lock that it may have given
      return answer;
    });
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

  /** Asks the request that holds a lock to end. All locks share one connection, so those of this process are asked without it. */
  async function askHolder(id: string): Promise<void> {
    if (held.has(id)) release(held.get(id));
    else await query('SELECT pg_notify($1, $2)', [TOPIC, id]);
  }

  const waiting = new Map<string, number>();
  /** Returns when the lock is taken. */
  async function wait(id: string, signal: AbortSignal): Promise<void> {
    const others = waiting.get(id) ?? 0;
    if (others >= MOST_WAITING) throw Object.assign(new Error('too many requests wait for an upload'), crowded);
    waiting.set(id, others + 1);
    const deadline = Date.now() + MAX_WAIT_MS;
    try {
      do {
        if (signal.aborted || Date.now() > deadline) throw ERRORS.ERR_LOCK_TIMEOUT;
        await askHolder(id);
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      } while (!(await take(id)));
    } finally {
      const left = (waiting.get(id) ?? 1) - 1;
      if (left > 0) waiting.set(id, left);
      else waiting.delete(id);
    }
  }

  const newLock = (id: string): Lock => ({
    async lock(signal, endRequest) {
      if (!(await take(id))) await wait(id, signal);
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

/** A refusal as those of @tus/server are. Clients try again after a 423. */
const crowded = { status_code: 423, body: 'Locked. Too many requests wait for this upload.\n' };

/** The key of the advisory lock: 64 bits of the id's digest. */
const keyOf = (id: string) => createHash('sha256').update(`upload ${id}`).digest().readBigInt64BE().toString();
