import { existsSync } from 'node:fs';
import { access, constants, mkdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { ConfigError } from '@foyer/shared/config/config';
import { identityOf } from '@foyer/shared/process/processes';
import { writeWhole } from '@foyer/shared/process/write-whole';

/** The folder that holds all state of one installation. One process at a time holds its lock. */
export interface DataDir {
  path: string;
  folder(name: string): string;
  release(): Promise<void>;
}

/**
 * Locks the data folder for this process, and creates it if it is missing.
 *
 * @throws {ConfigError} when it can't be written, or another running process holds it
 */
export async function openDataDir(path: string): Promise<DataDir> {
  await openFolder('DATA_DIR', path);
  const holder = await holderOf(path);
  if (holder) throw new ConfigError(`DATA_DIR: ${path} is in use by process ${holder}`);
  const lock = lockOf(path);
  await writeWhole(lock, await identityOf(process.pid));
  return {
    path,
    folder: (name) => join(path, name),
    release: () => rm(lock, { force: true }),
  };
}

/**
 * Creates the folder that a variable names if it is missing.
 *
 * @throws {ConfigError} when it can't be written
 */
export async function openFolder(variable: string, path: string): Promise<void> {
  try {
    await makeFolder(path);
    await access(path, constants.W_OK | constants.X_OK);
  } catch {
    throw new ConfigError(`${variable}: ${path} can not be written`);
  }
}

/** Returns the id of the other running process that holds the lock of the data folder, or undefined. */
export async function holderOf(path: string): Promise<number | undefined> {
  const holder = await readFile(lockOf(path), 'utf8').catch(() => '');
  if (!holder || holder === (await identityOf(process.pid))) return undefined;
  const pid = Number.parseInt(holder, 10);
  return (await identityOf(pid)) === holder ? pid : undefined;
}

const lockOf = (path: string) => join(path, 'process');

/** Creates folders one by one: Node's recursive mkdir hangs below /proc, where no folder can be created. */
async function makeFolder(path: string): Promise<void> {
  if (existsSync(path)) return;
  const parent = dirname(path);
  if (!existsSync(parent)) await makeFolder(parent);
  await mkdir(path).catch((error: unknown) => {
    if (!existsSync(path)) throw error; // else another process was faster
  });
}
