/** An item of a paced stream, and the function that its reader calls when it has taken it. */
export interface PacedItem<Item> {
  item: Item;
  taken(): void;
}

/**
 * Yields the next item only when the reader has taken the last one, so that nothing piles up before a slow reader and
 * nothing is dropped. Later changes wait in their store.
 */
export function paced<Item>(items: AsyncIterableIterator<Item>): AsyncIterableIterator<PacedItem<Item>> {
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

/** The resolver of an item of a paced stream. */
export function take<Item>({ item, taken }: PacedItem<Item>): Item {
  taken();
  return item;
}
