import type { Client } from 'pg';

import type { Log } from '../log.ts';
import type { Notices } from '../notices.ts';
import { openEars } from './ears.ts';
import { keepSession } from './session.ts';

/** Listens (LISTEN) on one connection of its own. */
export function postgresNotices({ databaseUrl, log }: { databaseUrl: string; log: Log }): Notices {
  const ears = openEars();
  let client: Client | undefined;

  async function listen(to: Client, channel: string) {
    await to.query(`LISTEN ${channel}`);
    ears.tell(channel, null);
  }
  const session = keepSession({
    databaseUrl,
    log,
    name: 'notices',
    async begin(opened, over) {
      over.signal.addEventListener('abort', () => (client = undefined));
      opened.on('notification', ({ channel, payload }) => ears.tell(channel, payload ?? ''));
      client = opened;
      for (const channel of ears.channels()) await listen(opened, channel);
    },
  });

  return {
    on(channel, listener) {
      const isNew = ears.add(channel, listener);
      // A connection that can't is lost: the next one listens to all.
      if (isNew && client)
        listen(client, channel).catch((error: unknown) => log.warn({ err: error, channel }, 'notices'));
      return () => ears.remove(channel, listener);
    },
    stop: session.stop,
  };
}
