import { open } from 'node:fs/promises';

import { endOfOgg, endOfPs, endOfTs, type FileEnd } from './file-end.ts';
import { endOfAsf, endOfMp4, endOfMxf, endOfRiff, type ReadAt } from './stated-end.ts';

/** More than the packets, pages and pauses of a second. */
const TAIL_BYTES = 4 * 2 ** 20;

interface Ending {
  read: ReadAt;
  /** The last bytes of the file. */
  tail: Buffer;
  /** Of the file. */
  size: number;
}

/** By ffprobe's names of containers. */
const readers: Readonly<Record<string, (ending: Ending) => FileEnd | Promise<FileEnd>>> = {
  mpegts: ({ tail, size }) => endOfTs(tail, size),
  mpeg: ({ tail }) => endOfPs(tail),
  ogg: ({ tail }) => endOfOgg(tail),
  avi: ({ read, size }) => endOfRiff(read, size),
  wav: ({ read, size }) => endOfRiff(read, size),
  asf: ({ read, size }) => endOfAsf(read, size),
  mxf: ({ read, size, tail }) => endOfMxf(read, size, tail),
  mp4: ({ read, size }) => endOfMp4(read, size),
};

/**
 * Finds out by the marks of its container whether a file ends early.
 *
 * @param format ffprobe's names of the container; those of other containers are taken for whole
 */
export async function readFileEnd(file: string, format: string): Promise<FileEnd> {
  const reader = format.split(',').flatMap((name) => readers[name] ?? [])[0];
  if (!reader) return 'whole';
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    const read: ReadAt = async (at, bytes) => {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(Math.min(bytes, size - at)), 0, null, at);
      return buffer.subarray(0, bytesRead);
    };
    const tail = await read(Math.max(0, size - TAIL_BYTES), TAIL_BYTES);
    return await reader({ read, tail, size });
  } finally {
    await handle.close();
  }
}
