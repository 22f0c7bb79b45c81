import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Removes what is in a folder since longer ago than that, and whose name begins so. */
export async function removeOld(
  folder: string,
  { olderThanMs, prefix = '' }: { olderThanMs: number; prefix?: string },
) {
  for (const name of (await readdir(folder)).filter((each) => each.startsWith(prefix))) {
    const path = join(folder, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > olderThanMs) await rm(path, { recursive: true, force: true });
  }
}
