const SAMPLE = 100;

/** Collects a sample: counts all items, and keeps the first hundred of those that may be named. */
export function sampled<Item>() {
  const items: Item[] = [];
  const sample = {
    items,
    count: 0,
    add(item: Item, named = true) {
      sample.count++;
      if (named && items.length < SAMPLE) items.push(item);
    },
  };
  return sample;
}
