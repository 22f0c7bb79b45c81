import type { Id } from '@foyer/shared/ids';

import { rateLimited } from './refusals.ts';

/** More than anybody has devices and windows; each stream costs a connection and memory. */
const MOST = 20;
const RETRY_SECONDS = 60;

/** Counts the open session streams of this process by viewer. */
export interface OpenStreams {
  /**
   * Counts one more stream.
   *
   * @returns a function that releases the stream; to be called once
   * @throws {Refusal} `RATE_LIMITED` when the viewer has too many
   */
  open(userId: Id): () => void;
}

export function openStreams(): OpenStreams {
  const counts = new Map<string, number>();
  return {
    open(userId) {
      const count = counts.get(userId) ?? 0;
      if (count >= MOST) throw rateLimited(RETRY_SECONDS);
      counts.set(userId, count + 1);
      return () => {
        const left = (counts.get(userId) ?? 1) - 1;
        if (left > 0) counts.set(userId, left);
        else counts.delete(userId);
      };
    },
  };
}
