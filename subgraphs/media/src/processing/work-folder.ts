import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';

import type { Sweep } from '../sweeps.ts';
import { silenceOf } from './claim-step.ts';

/** A folder for the unfinished work and writes of this process alone. */
export interface WorkFolder {
  folder: string;
  /** Touches the folder as a sign of life, and removes the folders of processes that were silent for so long. */
  sweep(silentMs: number): Promise<void>;
}

/** Opens a work folder. Several processes may share the parent, which is where folders of killed ones are found. */
export async function openWorkFolder(parent: string): Promise<WorkFolder> {
  const folder = join(parent, randomUUID());
  await mkdir(folder, { recursive: true });
  return {
    folder,
    async sweep(silentMs) {
      await mkdir(folder, { recursive: true }); // another process may have taken this one for dead
      await touch(folder);
      const { mtimeMs: now } = await stat(folder);
      for (const name of await readdir(parent)) {
        const { mtimeMs } = await stat(join(parent, name)).catch(() => ({ mtimeMs: Infinity }));
        if (now - mtimeMs > silentMs) await rm(join(parent, name), { recursive: true, force: true });
      }
    },
  };
}

/** In the time of the file system, because machines with different clocks may share it; on a full disk in our own. */
async function touch(folder: string): Promise<void> {
  const now = new Date();
  const made = await mkdtemp(join(folder, '.alive-')).catch(() => utimes(folder, now, now));
  if (made) await rm(made, { recursive: true });
}

/**
 * The sweep that removes the work folders of killed processes. It waits longer than others do before they take the work
 * over, so that nothing uses such a folder any more.
 */
export const workFolderSweep = (work: WorkFolder, { beatMs }: { beatMs: number }): Sweep => ({
  name: 'sweep-work',
  everyMs: 2 * beatMs,
  work: () => work.sweep(3 * silenceOf({ beatMs })),
});
