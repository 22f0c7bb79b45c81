import { realpath } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';

import { KeyRefused } from '#ports/object-store.ts';

const MOST_BYTES = 1024;
const MOST_SEGMENT_BYTES = 255;

/**
 * The segments of a key.
 *
 * @throws {KeyRefused} for a key that could lead out of the store or that no file system takes
 */
export function segmentsOf(key: string): string[] {
  if (Buffer.byteLength(key) > MOST_BYTES) throw new KeyRefused(key.slice(0, 80), `has more than ${MOST_BYTES} bytes`);
  if (/[\0\\]/.test(key)) throw new KeyRefused(key, 'has a NUL or a backslash');
  const segments = key.split('/');
  for (const segment of segments) {
    if (segment === '' || segment === '.' || segment === '..')
      throw new KeyRefused(key, 'has an empty, "." or ".." segment');
    if (Buffer.byteLength(segment) > MOST_SEGMENT_BYTES)
      throw new KeyRefused(key, `has a segment over ${MOST_SEGMENT_BYTES} bytes`);
  }
  return segments;
}

/** The path of a key under a folder. */
export function pathOf(root: string, key: string): string {
  const path = join(root, ...segmentsOf(key));
  if (!path.startsWith(root + sep)) throw new KeyRefused(key, 'leads out of the store');
  return path;
}

/** The path of a key, after a look that no symbolic link bends the way to it; null when there is no such folder. */
export async function straightPathOf(root: string, key: string): Promise<string | null> {
  const path = pathOf(root, key);
  const folder = await realpath(dirname(path)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
    throw error;
  });
  if (folder === null) return null;
  if (folder !== dirname(path)) throw new KeyRefused(key, 'leads over a symbolic link');
  return join(folder, basename(path));
}
