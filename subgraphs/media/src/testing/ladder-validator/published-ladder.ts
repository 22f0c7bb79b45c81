import type { Faults } from './read-playlist.ts';

/** Where a ladder was published. */
export interface PublishedLadder {
  manifestKey: string;
  smilKey: string;
  /** Reads an object; null when there is none. */
  read(key: string): Promise<Buffer | null>;
  /** A folder for unfinished work, of this ladder alone. */
  folder: string;
}

/** Reads an object as text; a missing one is a fault. */
export async function readText({ read }: Pick<PublishedLadder, 'read'>, key: string, faults: Faults): Promise<string> {
  const bytes = await read(key);
  if (!bytes) faults.push(`${key}: there is no such object`);
  return bytes?.toString() ?? '';
}
