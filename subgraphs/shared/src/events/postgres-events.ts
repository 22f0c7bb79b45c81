import type { Log } from '../telemetry/log.ts';
import type { Events } from './events.ts';
import { createListeners } from './listeners.ts';
import { keepConnected, type Connection } from './postgres-connection.ts';

/** Events over LISTEN, on a connection of its own. */
export function postgresEvents({ databaseUrl, log }: { databaseUrl: string; log: Log }): Events {
  const listeners = createListeners();
  let current: Connection | undefined;

  async function listen({ query }: Connection, channel: string) {
    await query(`LISTEN ${channel}`);
    listeners.notify(channel, null);
  }
  const kept = keepConnected({
    databaseUrl,
    log,
    name: 'events',
    async use(opened) {
      opened.closed.signal.addEventListener('abort', () => (current = undefined));
      opened.onNotification(listeners.notify);
      for (const channel of listeners.channels()) await listen(opened, channel);
      current = opened;
    },
  });

  return {
    subscribe(channel, listener) {
      const connection = current;
      // When LISTEN fails the connection is given up: the next one listens to every channel.
      if (listeners.add(channel, listener) && connection)
        listen(connection, channel).catch((error: unknown) => connection.closed.abort(error));
      return () => listeners.remove(channel, listener);
    },
    stop: kept.stop,
  };
}
