import type { Listener } from './events.ts';

/** Who listens to which channel. */
export interface Ears {
  channels(): Iterable<string>;
  /** @returns whether nobody has listened to this channel before */
  add(channel: string, listener: Listener): boolean;
  remove(channel: string, listener: Listener): void;
  tell(channel: string, payload: string | null): void;
  /** Something may have been missed, wherever one listens. */
  tellAllToLook(): void;
}

export function openEars(): Ears {
  const listeners = new Map<string, Set<Listener>>();
  const tell = (channel: string, payload: string | null) => {
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
    tell,
    tellAllToLook() {
      for (const channel of listeners.keys()) tell(channel, null);
    },
  };
}
