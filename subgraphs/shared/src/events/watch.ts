/** Rings when there is something to look at, and one last time at the end. */
export interface Doorbell {
  ring(): void;
  /** Settles at the next ring after this call. */
  rung(): Promise<void>;
  end(): void;
  ended(): boolean;
  /** Calls back at the end; at once when it is over. */
  onEnd(ender: () => void): void;
}

/** @param signal ends it when it aborts */
export function doorbell(signal: AbortSignal): Doorbell {
  let { promise, resolve } = Promise.withResolvers<void>();
  let over = false;
  const enders: (() => void)[] = [];
  const ring = () => {
    resolve();
    ({ promise, resolve } = Promise.withResolvers<void>());
  };
  const end = () => {
    if (over) return;
    over = true;
    signal.removeEventListener('abort', end);
    for (const ender of enders) ender();
    ring();
  };
  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });

  return {
    ring,
    rung: () => promise,
    end,
    ended: () => over,
    onEnd: (ender) => void (over ? ender() : enders.push(ender)),
  };
}

interface News<Item> {
  bell: Doorbell;
  /** What is new since it was last asked, in its order; many rings may come to one look. */
  look(): Promise<readonly Item[]>;
  /** After such an item there will be no other. */
  isLast?(item: Item): boolean;
}

/**
 * Tells what is new, and again after each ring, until the bell ends. A look that fails ends it.
 *
 * Written by hand: an async generator could not be left while it waits.
 */
export function newsOf<Item>({ bell, look, isLast }: News<Item>): AsyncIterableIterator<Item> {
  const waiting: Item[] = [];
  const finished = { done: true, value: undefined } as const;
  const lookAgain = async () => {
    const rung = bell.rung();
    waiting.push(...(await look()));
    if (waiting.length === 0) await rung;
  };

  return {
    async next() {
      try {
        while (!bell.ended() && waiting.length === 0) await lookAgain();
      } catch (error) {
        bell.end();
        throw error;
      }
      if (bell.ended()) return finished;
      const value = waiting.shift() as Item;
      if (isLast?.(value)) bell.end();
      return { done: false, value };
    },
    async return() {
      bell.end();
      return finished;
    },
    async throw(error) {
      bell.end();
      throw error;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** An item of a stream, and how whoever passes it on says that its reader has come to it. */
export interface Handed<Item> {
  item: Item;
  taken(): void;
}

/**
 * Hands out the next item only when the last one was taken: between here and a slow reader nothing piles up, and
 * so nothing is dropped. What happens meanwhile waits where it is kept.
 */
export function paced<Item>(items: AsyncIterableIterator<Item>): AsyncIterableIterator<Handed<Item>> {
  let last = { promise: Promise.resolve(), resolve: () => {} };
  const finished = { done: true, value: undefined } as const;
  return {
    async next() {
      await last.promise;
      const { done, value } = await items.next();
      if (done) return finished;
      last = Promise.withResolvers<void>();
      return { done: false, value: { item: value, taken: last.resolve } };
    },
    async return() {
      await items.return?.();
      last.resolve();
      return finished;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** What a subscription resolves an event of a paced stream to. */
export function take<Item>({ item, taken }: Handed<Item>): Item {
  taken();
  return item;
}
