import { setTimeout as sleep } from 'node:timers/promises';

import { Client, type Notification, type QueryResultRow } from 'pg';

import { guarded } from '../telemetry/guarded.ts';
import type { Log } from '../telemetry/log.ts';

/** One connection to PostgreSQL, until it is lost. */
export interface Connection {
  /** Runs queries one after the other, because a connection runs one at a time. */
  query<Row extends QueryResultRow>(text: string): Promise<Row[]>;
  onNotification(receive: (channel: string, payload: string) => void): void;
  /** Aborts when the connection is lost; abort it to give the connection up. */
  closed: AbortController;
}

interface Needs {
  databaseUrl: string;
  log: Log;
  /** What the connection is for, in log messages. */
  name: string;
  /** Makes use of a new connection. */
  use(connection: Connection): Promise<void>;
}

const LONGEST_PAUSE_MS = 5_000;
const PROBE_MS = 5_000;
const TIMEOUT_MS = 5_000;

/** Keeps a dedicated connection to PostgreSQL, and opens a new one whenever it is lost. */
export function keepConnected(needs: Needs): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const done = keep(needs, stopping.signal);
  return {
    async stop() {
      stopping.abort();
      await done;
    },
  };
}

async function keep(needs: Needs, stopping: AbortSignal): Promise<void> {
  for (let failures = 0; !stopping.aborted; failures += 1) {
    const wasOpen = await useOnce(needs, stopping);
    if (wasOpen) failures = 0;
    await pause(Math.min(100 * 2 ** failures, LONGEST_PAUSE_MS), stopping);
  }
}

/** Connects, and settles when the connection is lost: with whether it was ever open. */
async function useOnce({ databaseUrl, log, name, use }: Needs, stopping: AbortSignal): Promise<boolean> {
  const client = new Client({
    connectionString: databaseUrl,
    keepAlive: true,
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
  });
  const closed = new AbortController();
  client.on('error', (error) => closed.abort(error)).on('end', () => closed.abort(new Error('it was ended')));
  stopping.addEventListener('abort', () => closed.abort(), { signal: closed.signal });
  let wasOpen = false;
  try {
    await client.connect();
    wasOpen = true;
    const connection = connectionOn(client, closed, log);
    await use(connection);
    await probe(connection);
  } catch (error) {
    closed.abort(error);
  }
  if (!stopping.aborted) log.warn({ err: closed.signal.reason as unknown }, `${name}: the connection was lost`);
  await client.end().catch(() => undefined); // a connection that is lost can't be ended
  return wasOpen;
}

function connectionOn(client: Client, closed: AbortController, log: Log): Connection {
  let turn: Promise<unknown> = Promise.resolve();
  return {
    closed,
    query<Row extends QueryResultRow>(text: string) {
      const answer = turn.then(async () => (await client.query<Row>(text)).rows);
      turn = answer.catch(() => undefined);
      return answer;
    },
    onNotification(receive) {
      const listener = guarded(log, 'receiving a notification', ({ channel, payload }: Notification) =>
        receive(channel, payload ?? ''),
      );
      client.on('notification', listener);
    },
  };
}

/** Queries at intervals: a dead connection looks like a silent one. */
async function probe({ query, closed: { signal } }: Connection): Promise<void> {
  for (;;) {
    await pause(PROBE_MS, signal);
    if (signal.aborted) return;
    await query('SELECT 1');
  }
}

/** Waits, but not after `closed` has aborted. */
export const pause = (ms: number, closed: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal: closed, ref: false }).catch(() => undefined);
