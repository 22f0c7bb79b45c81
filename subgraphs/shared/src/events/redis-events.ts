import type { Log } from '../telemetry/log.ts';
import type { Notices } from './events.ts';
import type { SharedRedis } from './redis.ts';
import { openEars } from './listeners.ts';
import { read, topicOf, type Message } from './message.ts';

interface Needs {
  redis: SharedRedis;
  /** Opens other notices, for as long as the relay is not heard. */
  standIn(): Notices;
  log: Log;
}

/** The relay says every second that it is there. */
const SILENCE_MS = 5_000;
const LOOK_MS = 500;

/**
 * Hears what the relay tells in Redis. Whoever hears another relay, or not the next number, tells all to look:
 * so a takeover, a lost connection and a lost message are one case. While there is silence, because Redis or every
 * relay is away, another way is listened on.
 */
export function redisNotices({ redis, standIn, log }: Needs): Notices {
  const ears = openEars();
  let last: Message | undefined;
  let heardAt = performance.now();
  let meanwhile: Notices | undefined;

  function hear(text: string) {
    const message = read(text);
    if (!message) return log.warn('notices: not understood what was said in Redis');
    const follows = message.relay === last?.relay && message.number === last.number + 1;
    last = message;
    heardAt = performance.now();
    if (!follows) ears.tellAllToLook();
    if (message.notice) ears.tell(message.notice.channel, message.notice.payload);
    if (meanwhile) void stopStandingIn();
  }
  const pass = (channel: string) => meanwhile?.on(channel, (payload) => ears.tell(channel, payload));
  const isHeard = () => performance.now() - heardAt < SILENCE_MS;
  function look() {
    if (meanwhile || isHeard()) return;
    log.warn('notices: no relay is heard in Redis: listening to PostgreSQL');
    meanwhile = standIn();
    for (const channel of ears.channels()) pass(channel);
  }
  async function stopStandingIn() {
    const over = meanwhile;
    meanwhile = undefined;
    log.info('notices: the relay is heard in Redis');
    await over?.stop();
  }
  const looking = setInterval(look, LOOK_MS).unref();
  const listening = redis.listen(topicOf(redis), hear);

  return {
    on(channel, listener) {
      if (ears.add(channel, listener)) {
        if (meanwhile) pass(channel);
        else if (last) queueMicrotask(() => ears.tell(channel, null));
      }
      return () => ears.remove(channel, listener);
    },
    async stop() {
      clearInterval(looking);
      listening.stop();
      await meanwhile?.stop();
    },
  };
}
