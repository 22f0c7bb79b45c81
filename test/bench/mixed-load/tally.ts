/** The counts of a kind of request in a time span. */
interface Count {
  answered: number;
  /** How many failed, by the code of the error. */
  failed: Map<string, number>;
  slowestFailureMs: number;
}

export interface Outcome {
  /** The code of the error; undefined for a success. */
  code: string | undefined;
  ms: number;
}

/** Counts answers by time span and by kind of request. */
export function openTally() {
  const counts = new Map<string, Map<string, Count>>();
  let stretch = 'before';
  let lastFailureAt = 0;

  function countOf(name: string): Count {
    const named = counts.get(stretch) ?? new Map<string, Count>();
    counts.set(stretch, named);
    const count = named.get(name) ?? { answered: 0, failed: new Map(), slowestFailureMs: 0 };
    named.set(name, count);
    return count;
  }

  return {
    begin(next: string) {
      stretch = next;
    },
    add(name: string, { code, ms }: Outcome) {
      const count = countOf(name);
      count.answered += 1;
      if (code === undefined) return;
      lastFailureAt = performance.now();
      count.failed.set(code, (count.failed.get(code) ?? 0) + 1);
      count.slowestFailureMs = Math.max(count.slowestFailureMs, ms);
    },
    in: (wanted: string): ReadonlyMap<string, Count> => counts.get(wanted) ?? new Map<string, Count>(),
    lastFailureAt: () => lastFailureAt,
    answered: () =>
      [...counts.values()].flatMap((named) => [...named.values()]).reduce((sum, { answered }) => sum + answered, 0),
  };
}

export type Tally = ReturnType<typeof openTally>;
