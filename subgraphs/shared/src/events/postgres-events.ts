import type { Log } from '../telemetry/log.ts';
import type { Notices } from './events.ts';
import { openEars } from './listeners.ts';
import { keepSession, type Session } from './session.ts';

/** Listens (LISTEN) on one connection of its own. */
export function postgresNotices({ databaseUrl, log }: { databaseUrl: string; log: Log }): Notices {
  const ears = openEars();
  let current: Session | undefined;

  async function listen({ ask }: Session, channel: string) {
    await ask(`LISTEN ${channel}`);
    ears.tell(channel, null);
  }
  const kept = keepSession({
    databaseUrl,
    log,
    name: 'notices',
    async begin(opened) {
      opened.over.signal.addEventListener('abort', () => (current = undefined));
      opened.onNotice(ears.tell);
      for (const channel of ears.channels()) await listen(opened, channel);
      current = opened;
    },
  });

  return {
    on(channel, listener) {
      const session = current;
      // A connection that can't is given up: the next one listens to all.
      if (ears.add(channel, listener) && session)
        listen(session, channel).catch((error: unknown) => session.over.abort(error));
      return () => ears.remove(channel, listener);
    },
    stop: kept.stop,
  };
}
