import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';

/** The counts of a kind of request in a time span. */
interface Count {
  answered: number;
  /** How many failed, by the code of the error. */
  failed: Map<string, number>;
  slowestFailureMs: number;
  /** How long the successful ones took, in microseconds. */
  took: RecordableHistogram;
}

/** How long a kind of request took, in milliseconds: one in two took longer than `p50`, one in a hundred longer than `p99`. */
export interface Latency {
  name: string;
  count: number;
  p50: number;
  p99: number;
}

export interface Outcome {
  /** The code of the error; undefined for a success. */
  code: string | undefined;
  ms: number;
}

/** Counts answers by time span and by kind of request. */
export function openTally() {
  const counts = new Map<string, Map<string, Count>>();
  let stretch = 'warming up';
  let lastFailureAt = 0;

  function countOf(name: string): Count {
    const named = counts.get(stretch) ?? new Map<string, Count>();
    counts.set(stretch, named);
    const count = named.get(name) ?? { answered: 0, failed: new Map(), slowestFailureMs: 0, took: createHistogram() };
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
      if (code === undefined) {
        count.took.record(Math.max(1, Math.round(ms * 1_000)));
        return;
      }
      lastFailureAt = performance.now();
      count.failed.set(code, (count.failed.get(code) ?? 0) + 1);
      count.slowestFailureMs = Math.max(count.slowestFailureMs, ms);
    },
    in: (wanted: string): ReadonlyMap<string, Count> => counts.get(wanted) ?? new Map<string, Count>(),
    /** The latencies of each kind of request, over some time spans together. */
    latencies(...stretches: string[]): Latency[] {
      const names = new Set(stretches.flatMap((wanted) => [...(counts.get(wanted)?.keys() ?? [])]));
      return [...names].map((name) => {
        const took = createHistogram();
        for (const wanted of stretches) {
          const count = counts.get(wanted)?.get(name);
          if (count && count.took.count > 0) took.add(count.took);
        }
        return { name, count: took.count, p50: took.percentile(50) / 1_000, p99: took.percentile(99) / 1_000 };
      });
    },
    lastFailureAt: () => lastFailureAt,
    answered: () =>
      [...counts.values()].flatMap((named) => [...named.values()]).reduce((sum, { answered }) => sum + answered, 0),
  };
}

export type Tally = ReturnType<typeof openTally>;
