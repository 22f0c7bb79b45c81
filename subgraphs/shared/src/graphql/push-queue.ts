/** How many items wait for one slow reader before the oldest is dropped. */
const QUEUE_LIMIT = 256;

/**
 * A queue that one side pushes into and the other iterates.
 *
 * Written by hand: an async generator would queue `return()` behind the pending `next()`,
 * and an idle subscription would never be released.
 */
export function pushQueue<Item>(signal: AbortSignal, limit = QUEUE_LIMIT, onDrop?: () => void) {
  const waiting: Item[] = [];
  const readers: ((result: IteratorResult<Item>) => void)[] = [];
  const enders: (() => void)[] = [];
  let ended = false;

  const end = () => {
    if (ended) return;
    ended = true;
    signal.removeEventListener('abort', end);
    for (const reader of readers.splice(0)) reader({ done: true, value: undefined });
    for (const ender of enders) ender();
  };
  const finished: IteratorResult<Item> = { done: true, value: undefined };

  const items: AsyncIterableIterator<Item> = {
    next() {
      const item = waiting.shift();
      if (item !== undefined) return Promise.resolve({ done: false, value: item });
      if (ended) return Promise.resolve(finished);
      return new Promise((resolve) => readers.push(resolve));
    },
    return() {
      waiting.length = 0;
      end();
      return Promise.resolve(finished);
    },
    throw(error) {
      end();
      return Promise.reject(error instanceof Error ? error : new Error(String(error)));
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };

  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });

  return {
    items,
    /** How many items wait for a reader. */
    size: () => waiting.length,
    push(item: Item) {
      if (ended) return;
      const reader = readers.shift();
      if (reader) return reader({ done: false, value: item });
      if (waiting.push(item) <= limit) return;
      waiting.shift();
      onDrop?.();
    },
    end,
    onEnd(ender: () => void) {
      if (ended) ender();
      else enders.push(ender);
    },
  };
}
