interface Batches<Item, Result> {
  /** Only items with the same key share a batch. */
  keyOf(item: Item): string;
  /** @returns one result per item, in the same order */
  run(items: readonly Item[]): Promise<readonly Result[]>;
  /** The size of a batch at most; a larger one would delay its first item. */
  most?: number;
  /** Whether a failure affects all items alike, so that running them one by one would only fail again. */
  isOfAll?(error: unknown): boolean;
}

interface Waiting<Item, Result> {
  item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * Runs calls in batches without a delay: the first runs with those that arrived together with it, and the calls that arrive
 * meanwhile form the next batch. So a result is never older than its call. When a batch fails, its items run again one by
 * one, so that one failure does not affect the others, unless it is of all.
 */
export function inBatches<Item, Result>({ keyOf, run, most = 64, isOfAll = () => false }: Batches<Item, Result>) {
  const queues = new Map<string, Waiting<Item, Result>[]>();

  async function drain(key: string, queue: Waiting<Item, Result>[]) {
    await nextTurn();
    while (queue.length > 0) await runTogether({ run, isOfAll }, queue.splice(0, most));
    queues.delete(key);
  }

  return (item: Item): Promise<Result> =>
    new Promise((resolve, reject) => {
      const key = keyOf(item);
      const running = queues.get(key);
      const queue = running ?? [];
      queue.push({ item, resolve, reject });
      if (running) return;
      queues.set(key, queue);
      void drain(key, queue);
    });
}

/** Resolves when all requests that have arrived together are read; otherwise the first would be a batch of its own. */
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** Never throws: every waiting call is resolved or rejected. */
async function runTogether<Item, Result>(
  how: Required<Pick<Batches<Item, Result>, 'run' | 'isOfAll'>>,
  batch: readonly Waiting<Item, Result>[],
): Promise<void> {
  try {
    const results = await how.run(batch.map(({ item }) => item));
    if (results.length !== batch.length)
      throw new Error(`${batch.length} were requested, ${results.length} were answered`);
    for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
  } catch (error) {
    if (batch.length === 1 || how.isOfAll(error)) return batch.forEach(({ reject }) => reject(error));
    for (const one of batch) await runTogether(how, [one]);
  }
}
