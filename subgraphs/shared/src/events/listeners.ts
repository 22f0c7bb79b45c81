import type { Listener } from './events.ts';

/** The listeners of each channel. */
export interface Listeners {
  channels(): Iterable<string>;
  /** @returns whether the channel had never had a listener before */
  add(channel: string, listener: Listener): boolean;
  remove(channel: string, listener: Listener): void;
  notify(channel: string, payload: string | null): void;
  /** Tells every listener that it may have missed something. */
  notifyAllOfGap(): void;
}

export function createListeners(): Listeners {
  const listeners = new Map<string, Set<Listener>>();
  const notify = (channel: string, payload: string | null) => {
    for (const listener of listeners.get(channel) ?? []) listener(payload);
  };
  return {
    channels: () => listeners.keys(),
    add(channel, listener) {
      const known = listeners.get(channel);
      listeners.set(channel, (known ?? new Set()).add(listener));
      return known === undefined;
    },
    remove: (channel, listener) => void listeners.get(channel)?.delete(listener),
    notify,
    notifyAllOfGap() {
      for (const channel of listeners.keys()) notify(channel, null);
    },
  };
}
