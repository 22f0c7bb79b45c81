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
const PATIENCE_MS = 15_000;
const PAUSE_MS = 100;
const CHANNEL = 'media_upload_wanted';

/** An upload is written to by one request at a time, in all processes that share the database. */
export interface UploadLocker extends Locker {
  stop(): Promise<void>;
}

/**
 * Locks as advisory locks of one PostgreSQL session of this process: if the process dies, they are free. Whoever
 * wants a lock that is taken says so on a channel, and the holder's request ends.
 */
export function uploadLocker({ databaseUrl, log }: Options): UploadLocker {
  const held = new Map<string, RequestRelease>();
  const letGo = guarded(log, 'giving up an upload lock', (release?: RequestRelease) => release?.());
  let session: Promise<Client> | undefined;

  async function connect(): Promise<Client> {
    const client = new Client({ connectionString: databaseUrl, keepAlive: true, connectionTimeoutMillis: 5_000 });
    const onLoss = guarded(log, 'giving up upload locks', (error?: Error) => {
      if (session === opened) session = undefined;
      if (error) log.warn({ err: error }, 'upload locks: the connection was lost');
      for (const release of held.values()) letGo(release); // another process may take them now
    });
    client.on('error', onLoss).on('end', () => onLoss());
    client.on('notification', ({ payload }) => letGo(held.get(payload ?? '')));
    await client.connect();
    await client.query(`LISTEN ${CHANNEL}`);
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
  /** One question after the other: a connection takes no two at once. */
  function ask<Row extends QueryResultRow>(text: string, values: string[]) {
    const answer = turn.then(async () => (await open()).query<Row>(text, values));
    turn = answer.catch(() => undefined);
    return answer;
  }

  async function take(id: string): Promise<boolean> {
    if (held.has(id)) return false; // the same session could take it twice
    held.set(id, () => undefined);
    try {
      const { rows } = await ask<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [keyOf(id)]);
      if (!rows[0]?.taken) held.delete(id);
      return rows[0]?.taken === true;
    } catch (error) {
      held.delete(id);
      throw error;
    }
  }

  const newLock = (id: string): Lock => ({
    async lock(signal, release) {
      const deadline = Date.now() + PATIENCE_MS;
      while (!(await take(id))) {
        if (signal.aborted || Date.now() > deadline) throw ERRORS.ERR_LOCK_TIMEOUT;
        await ask('SELECT pg_notify($1, $2)', [CHANNEL, id]);
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
      held.set(id, release);
    },
    async unlock() {
      held.delete(id);
      await ask('SELECT pg_advisory_unlock($1)', [keyOf(id)]);
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

/** 64 bits of the id's digest, as PostgreSQL takes them. */
const keyOf = (id: string) => createHash('sha256').update(`upload ${id}`).digest().readBigInt64BE().toString();
