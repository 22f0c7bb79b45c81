/** Everything that may happen, and what is said about it. Facts, in the past tense. */
export interface Topics {
  'node.statusChanged': { kind: 'streamer' | 'cache' | 'load-balancer'; id: number };
}

export type Topic = keyof Topics;

/** Live news for subscribers: at most once, never stored. Use a job for work that must happen. */
export interface Events {
  publish<T extends Topic>(topic: T, fact: Topics[T]): Promise<void>;
  /** Listens from this call on, and ends when `signal` aborts. A slow reader loses the oldest facts first. */
  subscribe<T extends Topic>(topic: T, signal: AbortSignal): AsyncIterableIterator<Topics[T]>;
}

/** How many facts wait for one slow reader before the oldest is dropped. */
const QUEUE_LIMIT = 256;

/** Events within one process. */
export function inProcessEvents(): Events {
  const listeners = new Map<Topic, Set<(fact: never) => void>>();

  return {
    async publish(topic, fact) {
      for (const listener of listeners.get(topic) ?? []) listener(fact as never);
    },
    subscribe(topic, signal) {
      const queue = pushQueue<Topics[typeof topic]>(signal);
      const ofTopic = listeners.get(topic) ?? new Set();
      listeners.set(topic, ofTopic.add(queue.push));
      queue.onEnd(() => ofTopic.delete(queue.push));
      return queue.items;
    },
  };
}

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
