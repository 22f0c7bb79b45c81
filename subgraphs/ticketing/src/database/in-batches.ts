interface Batches<Item, Result> {
  /** Only items of the same key go together. */
  keyOf(item: Item): string;
  /** Answers each item, in their order. */
  run(items: readonly Item[]): Promise<readonly Result[]>;
  /** How many go together: more would keep the first of them waiting. */
  most?: number;
}

interface Waiting<Item, Result> {
  item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * Does for many together what each of them asks for, without making anyone wait for company: the first runs at once,
 * and whoever arrives while it runs goes with the next. What is read so was true when it was asked for, or later.
 * One that fails spoils no other: a batch that failed is done again one by one.
 */
export function inBatches<Item, Result>({ keyOf, run, most = 64 }: Batches<Item, Result>) {
  const queues = new Map<string, Waiting<Item, Result>[]>();

  async function drain(key: string, queue: Waiting<Item, Result>[]) {
    while (queue.length > 0) await runTogether(run, queue.splice(0, most));
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

/** Never throws: each who waits gets an answer of their own. */
async function runTogether<Item, Result>(
  run: Batches<Item, Result>['run'],
  batch: readonly Waiting<Item, Result>[],
): Promise<void> {
  try {
    const results = await run(batch.map(({ item }) => item));
    if (results.length !== batch.length) throw new Error(`${batch.length} asked, ${results.length} were answered`);
    for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
  } catch (error) {
    const [only, ...others] = batch;
    if (only && others.length === 0) return only.reject(error);
    for (const one of batch) await runTogether(run, [one]);
  }
}
