import { Client } from 'pg';

import type { Log } from './log.ts';

/** What processes tell each other through PostgreSQL (LISTEN, NOTIFY): at most once, and only while connected. */
export interface Notices {
  /**
   * Calls back for each notice on a channel; with null when some may have been missed, because the
   * connection was lost and found again, or the channel was only now tuned in to.
   *
   * @param channel a fixed name in lower case: it stands in SQL as it is
   * @returns what ends it
   */
  on(channel: string, listener: (payload: string | null) => void): () => void;
  stop(): Promise<void>;
}

const LONGEST_PAUSE_MS = 5_000;

/** Listens on one connection of its own, and finds it again whenever it is lost. */
export function openNotices({ databaseUrl, log }: { databaseUrl: string; log: Log }): Notices {
  const listeners = new Map<string, Set<(payload: string | null) => void>>();
  const tell = (channel: string, payload: string | null) => {
    for (const listener of listeners.get(channel) ?? []) listener(payload);
  };
  let stopped = false;
  let client: Client | undefined;
  let again: NodeJS.Timeout | undefined;
  let connecting = connect(0);

  async function connect(failures: number): Promise<void> {
    const opened = new Client({ connectionString: databaseUrl, keepAlive: true, connectionTimeoutMillis: 5_000 });
    let lost = false;
    const onLoss = (error?: Error) => {
      if (lost || stopped) return;
      lost = true;
      client = undefined;
      log.warn({ err: error }, 'notices: the connection was lost');
      void close(opened);
      const pauseMs = Math.min(100 * 2 ** failures, LONGEST_PAUSE_MS);
      again = setTimeout(() => void (connecting = connect(failures + 1)), pauseMs).unref();
    };
    opened.on('error', onLoss);
    opened.on('end', () => onLoss());
    opened.on('notification', ({ channel, payload }) => tell(channel, payload ?? ''));
    try {
      await opened.connect();
      client = opened;
      failures = 0;
      for (const channel of listeners.keys()) {
        await opened.query(`LISTEN ${channel}`);
        tell(channel, null);
      }
    } catch (error) {
      onLoss(error as Error);
    }
  }

  return {
    on(channel, listener) {
      const known = listeners.get(channel);
      const ofChannel = known ?? new Set();
      listeners.set(channel, ofChannel.add(listener));
      if (!known) {
        client?.query(`LISTEN ${channel}`).then(
          () => tell(channel, null),
          (error: unknown) => log.warn({ err: error, channel }, 'notices'),
        );
      }
      return () => void ofChannel.delete(listener);
    },
    async stop() {
      stopped = true;
      clearTimeout(again);
      await connecting;
      await client?.end();
    },
  };
}

/** What is lost need not say goodbye. */
async function close(client: Client): Promise<void> {
  try {
    await client.end();
  } catch {
    // it is gone either way
  }
}
