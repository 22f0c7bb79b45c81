import { setTimeout as sleep } from 'node:timers/promises';

import { Client, type Notification, type QueryResultRow } from 'pg';

import { guarded } from '../telemetry/guarded.ts';
import type { Log } from '../telemetry/log.ts';

/** A connection as it is now. */
export interface Session {
  /** One question after the other, whoever asks: a connection takes no two at once. */
  ask<Row extends QueryResultRow>(text: string): Promise<Row[]>;
  onNotice(hear: (channel: string, payload: string) => void): void;
  /** Aborts when the connection is lost; abort it to lose it. */
  over: AbortController;
}

interface Needs {
  databaseUrl: string;
  log: Log;
  /** Whose it is, for the log. */
  name: string;
  /** Makes use of a new connection. */
  begin(session: Session): Promise<void>;
}

const LONGEST_PAUSE_MS = 5_000;
const PROBE_MS = 5_000;
const PATIENCE_MS = 5_000;

/** A connection to PostgreSQL of one's own, opened again whenever it is lost. */
export function keepSession(needs: Needs): { stop(): Promise<void> } {
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
    const stood = await hold(needs, stopping);
    if (stood) failures = 0;
    await pause(Math.min(100 * 2 ** failures, LONGEST_PAUSE_MS), stopping);
  }
}

/** @returns when it is over: whether it ever stood */
async function hold({ databaseUrl, log, name, begin }: Needs, stopping: AbortSignal): Promise<boolean> {
  const client = new Client({
    connectionString: databaseUrl,
    keepAlive: true,
    connectionTimeoutMillis: PATIENCE_MS,
    query_timeout: PATIENCE_MS,
  });
  const over = new AbortController();
  client.on('error', (error) => over.abort(error)).on('end', () => over.abort(new Error('it was ended')));
  stopping.addEventListener('abort', () => over.abort(), { signal: over.signal });
  let stood = false;
  try {
    await client.connect();
    stood = true;
    const session = sessionOn(client, over, log);
    await begin(session);
    await probe(session);
  } catch (error) {
    over.abort(error);
  }
  if (!stopping.aborted) log.warn({ err: over.signal.reason as unknown }, `${name}: the connection was lost`);
  await client.end().catch(() => undefined); // what is lost need not say goodbye
  return stood;
}

function sessionOn(client: Client, over: AbortController, log: Log): Session {
  let turn: Promise<unknown> = Promise.resolve();
  return {
    over,
    ask<Row extends QueryResultRow>(text: string) {
      const answer = turn.then(async () => (await client.query<Row>(text)).rows);
      turn = answer.catch(() => undefined);
      return answer;
    },
    onNotice(hear) {
      const told = guarded(log, 'hearing of a notice', ({ channel, payload }: Notification) =>
        hear(channel, payload ?? ''),
      );
      client.on('notification', told);
    },
  };
}

/** A dead connection looks like a silent one, until it is asked something. */
async function probe({ ask, over: { signal } }: Session): Promise<void> {
  for (;;) {
    await pause(PROBE_MS, signal);
    if (signal.aborted) return;
    await ask('SELECT 1');
  }
}

/** Waits, but not longer than until it is over. */
export const pause = (ms: number, over: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal: over, ref: false }).catch(() => undefined);
