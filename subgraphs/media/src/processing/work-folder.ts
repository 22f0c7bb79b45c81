import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * A folder for the unfinished work and writes of this process alone. Several processes may share the parent;
 * what a killed one has left is removed once its folder has shown no sign of life for a while.
 */
export async function openWorkFolder(parent: string) {
  const folder = join(parent, randomUUID());
  await mkdir(folder, { recursive: true });
  return {
    folder,
    /** Shows that this process lives, and removes what has been silent for so long, in milliseconds. */
    async sweep(silentMs: number): Promise<void> {
      const now = new Date();
      await mkdir(folder, { recursive: true }); // should others have taken us for dead
      await utimes(folder, now, now);
      for (const name of await readdir(parent)) {
        const { mtimeMs } = await stat(join(parent, name)).catch(() => ({ mtimeMs: Infinity }));
        if (now.getTime() - mtimeMs > silentMs) await rm(join(parent, name), { recursive: true, force: true });
      }
    },
  };
}
