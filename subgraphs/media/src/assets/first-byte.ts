import { once } from 'node:events';
import type { Readable } from 'node:stream';

import { storeAway } from '../storage/refusals.ts';

/**
 * Limits how long a store may take until the first byte of an answer, however many requests that needs.
 *
 * @param limitMs null for a store that needs no limit
 * @param begin finds an object and opens its bytes
 * @param discard frees what comes too late
 * @throws {Refusal} `STORE_AWAY`
 */
export async function withinLimit<Begun>(
  limitMs: number | null,
  begin: () => Promise<Begun>,
  discard: (late: Begun) => unknown,
): Promise<Begun> {
  if (limitMs === null) return begin();
  const { promise: limit, reject } = Promise.withResolvers<never>();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    reject(storeAway(new Error(`The object store gave no byte within ${limitMs} ms.`)));
  }, limitMs);
  const begun = begin();
  begun.then(
    (late) => isLate && discard(late),
    () => undefined, // whoever awaits it sees it
  );
  try {
    return await Promise.race([begun, limit]);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits until a stream has bytes, or has ended. @throws what the stream fails with */
export async function hasBegun(stream: Readable): Promise<void> {
  if (stream.errored) throw stream.errored;
  if (stream.readableLength === 0 && !stream.readableEnded) await once(stream, 'readable');
}
