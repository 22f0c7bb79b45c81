import { setTimeout as sleep } from 'node:timers/promises';

import { databaseBusy } from '../database-errors.ts';

/** Signals that there may be something new to read; several changes may cause one read. */
export interface ChangeSignal {
  /** Reports a change. */
  notify(): void;
  /** Settles at the first change after this call, and at the end. */
  next(): Promise<void>;
  end(): void;
  ended(): boolean;
  /** Calls back at the end; at once when it has ended. */
  onEnd(callback: () => void): void;
}

/** @param signal ends the change signal when it aborts */
export function changeSignal(signal: AbortSignal): ChangeSignal {
  let { promise, resolve } = Promise.withResolvers<void>();
  let over = false;
  const callbacks: (() => void)[] = [];
  const notify = () => {
    resolve();
    ({ promise, resolve } = Promise.withResolvers<void>());
  };
  const end = () => {
    if (over) return;
    over = true;
    signal.removeEventListener('abort', end);
    for (const callback of callbacks) callback();
    notify();
  };
  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });

  return {
    notify,
    next: () => promise,
    end,
    ended: () => over,
    onEnd: (callback) => void (over ? callback() : callbacks.push(callback)),
  };
}

interface Options<Item> {
  changes: ChangeSignal;
  /** Reads what is new since the last read, in order. */
  read(): Promise<readonly Item[]>;
  /** Whether no item follows this one. */
  isLast?(item: Item): boolean;
}

/** The average wait before a read is repeated; each is random, so that many streams do not read at the same time. */
const RETRY_MS = 1_000;

/**
 * Yields what is new, and again after each change, until the change signal ends. A read is repeated while the database is
 * busy or away; one that fails for any other reason ends it.
 *
 * Not an async generator, which can't be closed while it waits.
 */
export function readChanges<Item>({ changes, read, isLast }: Options<Item>): AsyncIterableIterator<Item> {
  const waiting: Item[] = [];
  const finished = { done: true, value: undefined } as const;
  const pause = new AbortController();
  changes.onEnd(() => pause.abort());
  const readMore = async () => {
    const changed = changes.next();
    try {
      waiting.push(...(await read()));
    } catch (error) {
      if (!databaseBusy(error)) throw error;
      await sleep(RETRY_MS * (0.5 + Math.random()), undefined, { signal: pause.signal }).catch(() => undefined);
      return;
    }
    if (waiting.length === 0) await changed;
  };

  return {
    async next() {
      try {
        while (!changes.ended() && waiting.length === 0) await readMore();
      } catch (error) {
        changes.end();
        throw error;
      }
      if (changes.ended()) return finished;
      const value = waiting.shift() as Item;
      if (isLast?.(value)) changes.end();
      return { done: false, value };
    },
    async return() {
      changes.end();
      return finished;
    },
    async throw(error) {
      changes.end();
      throw error;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
