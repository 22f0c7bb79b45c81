/** Queries of the benchmark's graph that no gateway has seen. */

const SEED_STEP = 0x6d2b79f5;

/** A small generator of random numbers from 0 to 1: the same for each gateway (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + SEED_STEP) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Type {
  leaves: readonly string[];
  /** The type of each field that has a selection of its own. */
  objects: Readonly<Record<string, string>>;
}

const types: Readonly<Record<string, Type>> = {
  User: { leaves: ['id', 'name', 'username', 'birthday'], objects: { reviews: 'Review' } },
  Review: { leaves: ['id', 'body'], objects: { author: 'User', product: 'Product' } },
  Product: {
    leaves: ['upc', 'name', 'price', 'weight', 'inStock'], // not all others find what shippingEstimate requires
    objects: { reviews: 'Review' },
  },
};

const DEEPEST = 4;

/** @param seed another one for each batch: no query of one batch is in another */
export function newQueries(count: number, seed: number): string[] {
  const random = randomFrom(seed);
  const upTo = (most: number) => 1 + Math.floor(random() * most);

  function select(name: string, depth: number): string {
    const { leaves = [], objects = {} } = types[name] ?? {};
    const chosen = leaves.filter(() => random() < 0.5);
    if (chosen.length === 0) chosen.push(leaves[0] ?? '__typename');
    for (const [field, type] of Object.entries(objects)) {
      if (depth < DEEPEST && random() < 0.7) chosen.push(`${field} ${select(type, depth + 1)}`);
    }
    return `{ ${chosen.join(' ')} }`;
  }
  const roots = [
    () => `me ${select('User', 1)}`,
    () => `user(id: ${upTo(6)}) ${select('User', 1)}`,
    () => `users ${select('User', 1)}`,
    () => `topProducts(first: ${upTo(5)}) ${select('Product', 1)}`,
  ];
  return Array.from({ length: count }, (_, at) => {
    const chosen = roots.filter(() => random() < 0.4);
    const selected = chosen.length > 0 ? chosen : roots.slice(-1);
    return `query Screen${seed}_${at} { ${selected.map((root) => root()).join(' ')} }`;
  });
}
