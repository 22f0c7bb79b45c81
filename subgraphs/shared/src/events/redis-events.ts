import type { Log } from '../telemetry/log.ts';
import type { Events } from './events.ts';
import type { SharedRedis } from './redis.ts';
import { createListeners } from './listeners.ts';
import { read, topicOf, type Message } from './message.ts';

interface Needs {
  redis: SharedRedis;
  /** Opens another source of events, to be used while the relay is silent. */
  openFallback(): Events;
  log: Log;
}

/** The relay gives a sign of life every second. */
const SILENCE_MS = 5_000;
const CHECK_MS = 500;

/**
 * Events that the relay publishes in Redis. A message from another relay, or one that does not follow the last one's
 * number, tells all listeners that they may have missed something: so a takeover, a lost connection and a lost message
 * are one case. While no relay is heard, because Redis or every relay is down, the events come from the fallback.
 */
export function redisEvents({ redis, openFallback, log }: Needs): Events {
  const listeners = createListeners();
  let last: Message | undefined;
  let heardAt = performance.now();
  let fallback: Events | undefined;

  function receive(text: string) {
    const message = read(text);
    if (!message) return log.warn('events: ignored a malformed message in Redis');
    const follows = message.relay === last?.relay && message.number === last.number + 1;
    last = message;
    heardAt = performance.now();
    if (!follows) listeners.notifyAllOfGap();
    if (message.event) listeners.notify(message.event.channel, message.event.payload);
    if (fallback) void stopFallback();
  }
  const forward = (channel: string) => fallback?.subscribe(channel, (payload) => listeners.notify(channel, payload));
  const isHeard = () => performance.now() - heardAt < SILENCE_MS;
  function checkRelay() {
    if (fallback || isHeard()) return;
    log.warn('events: no relay is heard in Redis: listening to PostgreSQL');
    fallback = openFallback();
    for (const channel of listeners.channels()) forward(channel);
  }
  async function stopFallback() {
    const stopped = fallback;
    fallback = undefined;
    log.info('events: the relay is heard in Redis');
    await stopped?.stop();
  }
  const checking = setInterval(checkRelay, CHECK_MS).unref();
  const receiving = redis.subscribe(topicOf(redis), receive);

  return {
    subscribe(channel, listener) {
      if (listeners.add(channel, listener)) {
        if (fallback) forward(channel);
        else if (last) queueMicrotask(() => listeners.notify(channel, null));
      }
      return () => listeners.remove(channel, listener);
    },
    async stop() {
      clearInterval(checking);
      receiving.stop();
      await fallback?.stop();
    },
  };
}
