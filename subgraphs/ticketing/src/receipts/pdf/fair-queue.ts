/** Somebody who waits for a turn. */
interface Waiting {
  /** Callers take turns. */
  caller: string;
  begin(): void;
  /** Leaves without a turn. */
  giveUp(): void;
}

/** A queue in which those of each caller wait in a lane of their own, and the lanes take turns. */
export interface FairQueue {
  size(): number;
  push(waiting: Waiting): void;
  /** Takes out the one whose turn it is. */
  shift(): Waiting | undefined;
  lengthOf(caller: string): number;
  /** The length of the longest lane. */
  longest(): number;
  /** Takes out the last one of the longest lane. */
  pop(): Waiting | undefined;
}

export function openFairQueue(): FairQueue {
  /** In the order of their turns. */
  const lanes = new Map<string, Waiting[]>();
  let size = 0;

  const longestLane = () =>
    [...lanes.values()].reduce<Waiting[]>((most, lane) => (lane.length > most.length ? lane : most), []);

  function without(waiting: Waiting | undefined): Waiting | undefined {
    if (!waiting) return undefined;
    size -= 1;
    if (lanes.get(waiting.caller)?.length === 0) lanes.delete(waiting.caller);
    return waiting;
  }

  return {
    size: () => size,
    push(waiting) {
      const lane = lanes.get(waiting.caller);
      if (lane) lane.push(waiting);
      else lanes.set(waiting.caller, [waiting]);
      size += 1;
    },
    shift() {
      const [caller, lane] = lanes.entries().next().value ?? [];
      if (caller === undefined || !lane) return undefined;
      lanes.delete(caller);
      lanes.set(caller, lane); // its next turn is after all others
      return without(lane.shift());
    },
    lengthOf: (caller) => lanes.get(caller)?.length ?? 0,
    longest: () => longestLane().length,
    pop: () => without(longestLane().pop()),
  };
}
