/**
 * Keeps bytes under names for a while, for all processes of ticketing. It may lose or damage any of them, and each call may
 * fail: whoever uses it must do without.
 */
export interface ReceiptStore {
  /**
   * @param name 64 hexadecimal digits
   * @returns null when there is nothing under the name
   */
  find(name: string, signal: AbortSignal): Promise<Uint8Array | null>;
  /** Replaces what was there. A reader finds all of it or nothing. */
  keep(name: string, bytes: Uint8Array, signal: AbortSignal): Promise<void>;
  /** Removes what was kept until a time, and the oldest of more than `most`; nothing that is not of this store. */
  sweep(until: Date, most: number, signal: AbortSignal): Promise<void>;
}

/** Larger ones are neither kept nor read, whatever lies there. */
export const LARGEST_BYTES = 257 * 1024;

/** @throws {RangeError} for what is no name: nothing else becomes a path or a key */
export function checkedName(name: string): string {
  if (!/^[0-9a-f]{64}$/.test(name)) throw new RangeError('not the name of a printed receipt');
  return name;
}

/** Something in a store. */
export interface Kept {
  name: string;
  keptAt: Date;
}

/** Returns the names of those that were kept until a time, and of the oldest of more than `most`. */
export function surplusOf(all: readonly Kept[], until: Date, most: number): string[] {
  const newestFirst = all.toSorted(
    (one, other) => other.keptAt.getTime() - one.keptAt.getTime() || (one.name < other.name ? -1 : 1),
  );
  return newestFirst.filter(({ keptAt }, at) => at >= most || keptAt <= until).map(({ name }) => name);
}
