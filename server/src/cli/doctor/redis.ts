import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

import { openRedis, type SharedRedis } from '@foyer/shared/events/redis';

import { silentLog } from '../operator/operator-context.ts';
import { failed, ok, TIMEOUT_MS, reasonOf, warning, type Finding } from './finding.ts';

const OLDEST = 7;
const PAUSE_MS = 50;

/** Checks that Redis answers and permits what Foyer does: counting, publishing and subscribing. */
export async function checkRedis(url: string): Promise<Finding> {
  const { host } = new URL(url);
  const redis = openRedis({ url, log: silentLog });
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  try {
    await once(redis.client, 'ready', { signal: timeout });
    const version = /^redis_version:(\S+)/m.exec(await redis.client.info('server'))?.[1] ?? 'unknown';
    await count(redis);
    await publishAndReceive(redis, timeout);
    return Number.parseInt(version, 10) < OLDEST
      ? warning('Redis', `${host}: version ${version}`, `move to Redis ${OLDEST} or stack, or to Valkey`)
      : ok('Redis', `${host}: version ${version}, can be written and listened to`);
  } catch (error) {
    const cure =
      'start it, or mend REDIS_URL (host, port, user, password, number), or the rights of that user to foyer:*';
    return failed('Redis', `${host}: ${reasonOf(error)}`, cure);
  } finally {
    redis.stop();
  }
}

async function count({ client, prefix }: SharedRedis): Promise<void> {
  const key = `${prefix}doctor:${randomUUID()}`;
  const script = `redis.call('HSET', KEYS[1], 'at', redis.call('TIME')[1]) redis.call('PEXPIRE', KEYS[1], 1000)`;
  await client.eval(script, 1, key);
}

async function publishAndReceive(redis: SharedRedis, timeout: AbortSignal): Promise<void> {
  const channel = `${redis.prefix}doctor:${randomUUID()}`;
  redis.subscribe(channel, () => undefined);
  while ((await redis.client.publish(channel, '')) === 0) {
    if (timeout.aborted) throw new Error('a published event is not received');
    await sleep(PAUSE_MS);
  }
}
