/**
 * How a file ends by the marks of its format. `suspect`: only its picture can show whether it is whole. `unstated`: it says
 * that it does not know its length, so what ffmpeg takes for its length is no evidence.
 */
export type FileEnd = 'whole' | 'cut' | 'suspect' | 'unstated';

/** Reads bytes of a file; fewer at its end, none behind it. */
export type ReadAt = (at: number, bytes: number) => Promise<Buffer>;

/** What the readers of ends look at: never a whole file that is large. */
export interface Ending {
  /** The first and the last bytes; they overlap where the file is short. */
  head: Buffer;
  tail: Buffer;
  /** Of the file. */
  size: number;
  read: ReadAt;
}

export type EndReader = (ending: Ending) => FileEnd | Promise<FileEnd>;

const MIB = 2 ** 20;

/** Reads both ends of a file. @param read may be slow: what lies within the ends is not read again */
export async function openEnding(
  read: ReadAt,
  size: number,
  { headBytes = MIB, tailBytes = MIB / 8 } = {},
): Promise<Ending> {
  const head = await read(0, Math.min(headBytes, size));
  const tailAt = Math.max(0, size - tailBytes);
  const tail = tailAt < head.length && size <= head.length ? head.subarray(tailAt) : await read(tailAt, tailBytes);
  return {
    head,
    tail,
    size,
    async read(at, bytes) {
      const end = Math.min(at + bytes, size);
      if (!Number.isSafeInteger(at) || at < 0 || end <= at) return Buffer.alloc(0);
      if (end <= head.length) return head.subarray(at, end);
      if (at >= tailAt) return tail.subarray(at - tailAt, end - tailAt);
      return read(at, end - at);
    },
  };
}

/** Headers round, and sounds end within a frame: that much less is no loss. */
const LEAST_TOLERANCE_SECONDS = 0.3;
const MOST_TOLERANCE_SECONDS = 1;
const TOLERANCE_SHARE = 0.01;

export const isShorter = (actual: number, stated: number): boolean =>
  stated - actual > Math.min(Math.max(LEAST_TOLERANCE_SECONDS, TOLERANCE_SHARE * stated), MOST_TOLERANCE_SECONDS);
