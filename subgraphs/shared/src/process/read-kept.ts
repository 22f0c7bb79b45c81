import { readFile } from 'node:fs/promises';

import type { z } from 'zod';

import { ConfigError } from '../config/config.ts';

/**
 * Reads a JSON file that a process keeps in DATA_DIR.
 *
 * @returns undefined when there is none
 * @throws {ConfigError} in one line when it is damaged: it must not be replaced, because other data depends on it
 */
export async function readKept<Kept>(file: string, schema: z.ZodType<Kept>): Promise<Kept | undefined> {
  let content: string;
  try {
    content = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return schema.parse(JSON.parse(content));
  } catch {
    throw new ConfigError(`DATA_DIR: ${file} is damaged: restore it from a copy`);
  }
}
