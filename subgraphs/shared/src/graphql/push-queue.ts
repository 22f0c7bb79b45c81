const QUEUE_LIMIT = 256;

/**
 * A queue that one side pushes into and the other iterates. Calls `onEnd` at its end, or when its reader calls `return()`.
 *
 * Not an async generator, which would queue `return()` behind the pending `next()`, and an idle subscription
 * would never be released. `Repeater` (@repeaterjs/repeater 3) starts only with the first `next()`: before that nothing
 * can be pushed, and `return()` runs no cleanup, so a client that leaves at once would keep its upstream open. Its
 * `SlidingBuffer` neither reports what it drops nor tells how many items wait.
 *
 * @param signal ends the queue when it aborts; waiting items can still be read
 * @param limit how many items may wait; another one drops the oldest, and calls `onDrop`
 */
export function pushQueue<Item>(signal: AbortSignal, limit = QUEUE_LIMIT, onDrop?: () => void) {
  const waiting: Item[] = [];
  const readers: ((result: IteratorResult<Item>) => void)[] = [];
  const callbacks: (() => void)[] = [];
  let ended = false;

  const end = () => {
    if (ended) return;
    ended = true;
    signal.removeEventListener('abort', end);
    for (const reader of readers.splice(0)) reader({ done: true, value: undefined });
    for (const callback of callbacks) callback();
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
    onEnd(callback: () => void) {
      if (ended) callback();
      else callbacks.push(callback);
    },
  };
}
