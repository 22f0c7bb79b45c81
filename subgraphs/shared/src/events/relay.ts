import { randomUUID } from 'node:crypto';

import type { Log } from '../telemetry/log.ts';
import type { SharedRedis } from './redis.ts';
import { topicOf, write, type Message } from './message.ts';
import { keepSession, pause, type Session } from './session.ts';

interface Needs {
  databaseUrl: string;
  redis: SharedRedis;
  /** All that the database announces. */
  channels: readonly string[];
  log: Log;
}

const BEAT_MS = 1_000;
const ASK_AGAIN_MS = 1_000;

/**
 * Tells in Redis what PostgreSQL announces. Any number may be open: one is active, the others wait for its lock,
 * which is free when it dies, or can't reach one of the two.
 */
export function openNoticeRelay({ databaseUrl, redis, channels, log }: Needs): { stop(): Promise<void> } {
  return keepSession({
    databaseUrl,
    log,
    name: 'notice relay',
    async begin(session) {
      await election(session, redis);
      if (session.over.signal.aborted) return;
      log.info('notice relay: active');
      await relay(session, { redis, channels });
    },
  });
}

/** Settles when this one is the relay, or it is over. */
async function election(session: Session, redis: SharedRedis): Promise<void> {
  const { signal } = session.over;
  // A machine that has lost its power says no goodbye: the lock is free within half a minute all the same.
  await session.ask('SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3');
  while (!signal.aborted && !(redis.client.status === 'ready' && (await isElected(session)))) {
    await pause(ASK_AGAIN_MS, signal);
  }
}

async function isElected({ ask }: Session): Promise<boolean> {
  const rows = await ask<{ elected: boolean }>(
    `SELECT pg_try_advisory_lock(hashtextextended('foyer.notice-relay', 0)) AS elected`,
  );
  return rows[0]?.elected === true;
}

async function relay({ ask, onNotice, over }: Session, { redis, channels }: Pick<Needs, 'redis' | 'channels'>) {
  const name = randomUUID();
  let number = 0;
  const say = (notice?: Message['notice']) => {
    const message = write({ relay: name, number, ...(notice && { notice }) });
    number += 1;
    // What could not be told is missing in the count; whoever can tell it may be the relay.
    redis.client.publish(topicOf(redis), message).catch((error: unknown) => over.abort(error));
  };
  onNotice((channel, payload) => say({ channel, payload }));
  for (const channel of channels) await ask(`LISTEN ${channel}`);
  say(); // only now: who looks after this misses nothing
  const beat = setInterval(say, BEAT_MS).unref();
  over.signal.addEventListener('abort', () => clearInterval(beat));
}
