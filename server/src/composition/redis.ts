import type { Log } from '@foyer/shared/telemetry/log';

interface RedisOptions {
  stack: AsyncDisposableStack;
  redisUrl?: string | undefined;
  log: Log;
}

/** Loads the Redis client only where Redis is configured. */
export async function openRedis({ stack, redisUrl: url, log }: RedisOptions) {
  if (url === undefined) return undefined;
  const library = await import('@foyer/shared/events/redis');
  return stack.adopt(library.openRedis({ url, log }), (open) => open.stop());
}
