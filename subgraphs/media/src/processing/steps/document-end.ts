import { buffer } from 'node:stream/consumers';

import type { ObjectStore } from '#ports/object-store.ts';
import type { MediaWarning } from '../warnings.ts';

/** Enough for what pictures have before their pixels, and for the index at the end of an archive. */
const HEAD_BYTES = 2 ** 20;
const TAIL_BYTES = 2 ** 17;

/** The beginning and the end of a file; they overlap where it is short. */
interface Ends {
  head: Buffer;
  tail: Buffer;
  size: number;
}

interface Format {
  /** Its first characters; `?` stands for any. */
  begins: string;
  /** Whether the end is there; null where the ends do not show it. */
  isWhole(ends: Ends): boolean | null;
}

const endsWith = (mark: string) => (ends: Ends) => ends.tail.includes(mark, 0, 'latin1');

/** Formats whose files say where they end. */
const formats: readonly Format[] = [
  { begins: '%PDF-', isWhole: endsWith('%%EOF') },
  { begins: '\x89PNG\r\n', isWhole: endsWith('IEND') },
  // Presentations and other documents of offices are archives too.
  { begins: 'PK\x03\x04', isWhole: endsWith('PK\x05\x06') },
  { begins: 'GIF8?a', isWhole: isWholeGif },
  { begins: 'RIFF????WEBP', isWhole: ({ head, size }) => head.readUInt32LE(4) + 8 <= size },
  { begins: '\xff\xd8\xff', isWhole: isWholeJpeg },
];

/** Finds out whether a picture or document ends early. What has another format is taken for whole. */
export function isDocumentWhole(ends: Ends): boolean {
  const start = ends.head.toString('latin1', 0, 16);
  const format = formats.find(({ begins }) =>
    Array.from({ length: begins.length }).every((_, at) => begins[at] === '?' || begins[at] === start[at]),
  );
  return format?.isWhole(ends) ?? true;
}

/** The end of the last block, and that of the file; some programs fill up what follows. */
function isWholeGif({ tail }: Ends): boolean {
  const last = tail.findLastIndex((byte) => byte !== 0);
  return tail[last] === 0x3b && tail[last - 1] === 0;
}

const [START_OF_SCAN, END_OF_IMAGE] = [0xda, Buffer.from([0xff, 0xd9])];

/** A preview within the headers has an end of its own, and cameras append videos to pictures. */
function isWholeJpeg({ head, tail, size }: Ends): boolean | null {
  let at = 2;
  while (at + 4 <= head.length && head[at] === 0xff && head[at + 1] !== START_OF_SCAN)
    at += head[at + 1] === 0xff ? 1 : 2 + head.readUInt16BE(at + 2); // markers may be filled up
  if (at + 4 > head.length) return size > head.length ? null : false;
  if (head[at] !== 0xff) return null;
  if (head.indexOf(END_OF_IMAGE, at) >= 0) return true;
  const tailAt = Math.max(0, at - (size - tail.length));
  if (tail.indexOf(END_OF_IMAGE, tailAt) >= 0) return true;
  // What lies between them was not read.
  return size > head.length + tail.length && !isScan(tail) ? null : false;
}

/** In the pixels of a JPEG, 0xff is always followed by zero or the number of a restart. */
function isScan(bytes: Buffer): boolean {
  for (let at = bytes.indexOf(0xff); at >= 0 && at + 1 < bytes.length; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0;
    if (next !== 0 && (next < 0xd0 || next > 0xd7)) return false;
  }
  return true;
}

const brokenOff: MediaWarning = {
  code: 'TRUNCATED',
  message: 'The file breaks off before its end: a part of it is missing.',
};

/** Reads the ends of a stored file that is neither a video nor a sound. */
export async function findEndOfDocument(store: ObjectStore, key: string): Promise<MediaWarning | null> {
  const part = async (from: (size: number) => number, bytes: number) => {
    const object = await store.open(key);
    if (!object) return { bytes: Buffer.alloc(0), size: 0 };
    const start = from(object.size);
    const end = Math.min(start + bytes, object.size) - 1;
    if (end < start) {
      await object.close();
      return { bytes: Buffer.alloc(0), size: object.size };
    }
    return { bytes: await buffer(await object.read({ start, end })), size: object.size };
  };
  const { bytes: head, size } = await part(() => 0, HEAD_BYTES);
  const { bytes: tail } = await part((whole) => Math.max(0, whole - TAIL_BYTES), TAIL_BYTES);
  return isDocumentWhole({ head, tail, size }) ? null : brokenOff;
}
