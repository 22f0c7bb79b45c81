import { mkdtemp, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { removeOld } from './remove-old.ts';

/** Where Linux keeps files in memory. */
const MEMORY = '/dev/shm';
const PREFIX = 'foyer-test-';
/** Ten times what a whole run was seen to need. */
const PLENTY_BYTES = 4 * 2 ** 30;
/** Longer than a run. */
const LEFT_MS = 86_400_000;

/**
 * Creates a folder for the PostgreSQL of tests, in memory where there is plenty: of files that come and go by thousands the
 * file system of a disk needs more CPU than PostgreSQL. Elsewhere it is among the temporary files.
 */
export async function makeDatabaseFolder(): Promise<string> {
  const parent = (await hasPlenty()) ? MEMORY : tmpdir();
  // Of killed runs: nobody would remove them before the machine starts again.
  if (parent === MEMORY) await removeOld(MEMORY, { olderThanMs: LEFT_MS, prefix: PREFIX });
  return mkdtemp(join(parent, PREFIX));
}

async function hasPlenty(): Promise<boolean> {
  const { bavail, bsize } = await statfs(MEMORY).catch(() => ({ bavail: 0, bsize: 0 }));
  return Math.min(bavail * bsize, process.availableMemory()) >= PLENTY_BYTES;
}
