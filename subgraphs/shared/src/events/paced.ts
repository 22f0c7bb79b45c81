/**
 * Yields the next item only when the reader has taken the last one, so that nothing piles up before a slow reader and
 * nothing is dropped. Later changes wait in their store.
 *
 * Not an async generator, which would hold `return()` back until the next event.
 *
 * @param show returns what is yielded for an item; its reader calls `taken`
 */
export function paced<Item, Shown>(
  items: AsyncIterator<Item>,
  show: (item: Item, taken: () => void) => Shown,
): AsyncIterator<Shown, undefined> {
  let last = { promise: Promise.resolve(), resolve: () => {} };
  const finished = { done: true, value: undefined } as const;
  const take = () => items.next();
  const shown = ({ done, value }: IteratorResult<Item>): IteratorResult<Shown, undefined> => {
    if (done) return finished;
    last = Promise.withResolvers<void>();
    return { done: false, value: show(value, last.resolve) };
  };
  return {
    // No async function: it would hold a generator and its context while it waits for an item.
    next: () => last.promise.then(take).then(shown),
    async return() {
      await items.return?.();
      last.resolve();
      return finished;
    },
  };
}
