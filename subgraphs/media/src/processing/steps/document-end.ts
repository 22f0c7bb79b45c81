import { buffer } from 'node:stream/consumers';

import type { ObjectStore } from '#ports/object-store.ts';
import { openEnding, type ReadAt } from '../file-ends/ending.ts';
import { readDocumentEnd } from '../file-ends/read-document-end.ts';
import type { MediaWarning } from '../warnings.ts';

const brokenOff: MediaWarning = {
  code: 'TRUNCATED',
  message: 'The file breaks off before its end: a part of it is missing.',
};

/** Reads the ends of a stored file that is neither a video nor a sound. */
export async function findEndOfDocument(store: ObjectStore, key: string): Promise<MediaWarning | null> {
  const stored = await store.stat(key);
  if (!stored || stored.size === 0) return null;
  const read: ReadAt = async (at, bytes) => {
    const object = await store.open(key);
    const end = Math.min(at + bytes, object?.size ?? 0) - 1;
    if (object && end >= at) return buffer(await object.read({ start: at, end }));
    await object?.close();
    return Buffer.alloc(0);
  };
  const end = await readDocumentEnd(await openEnding(read, stored.size));
  return end === 'cut' ? brokenOff : null;
}
