import { realpath } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';

import { KeyRefused } from '#ports/object-store.ts';

const KEY_LIMIT_BYTES = 1024;
const SEGMENT_LIMIT_BYTES = 255;

/**
 * Returns the segments of a key.
 *
 * @throws {KeyRefused} for a key that could lead out of the store or that no file system accepts
 */
export function segmentsOf(key: string): string[] {
  if (Buffer.byteLength(key) > KEY_LIMIT_BYTES)
    throw new KeyRefused(key.slice(0, 80), `has more than ${KEY_LIMIT_BYTES} bytes`);
  if (/[\0\\]/.test(key)) throw new KeyRefused(key, 'has a NUL or a backslash');
  const segments = key.split('/');
  for (const segment of segments) {
    if (segment === '' || segment === '.' || segment === '..')
      throw new KeyRefused(key, 'has an empty, "." or ".." segment');
    if (Buffer.byteLength(segment) > SEGMENT_LIMIT_BYTES)
      throw new KeyRefused(key, `has a segment over ${SEGMENT_LIMIT_BYTES} bytes`);
  }
  return segments;
}

/** Returns the path of a key under a folder. */
export function pathOf(root: string, key: string): string {
  const path = join(root, ...segmentsOf(key));
  if (!path.startsWith(root + sep)) throw new KeyRefused(key, 'leads out of the store');
  return path;
}

/** Returns the path of a key, after checking that no symbolic link leads elsewhere; null when its folder does not exist. */
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
