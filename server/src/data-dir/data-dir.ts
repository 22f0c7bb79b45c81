import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { access, constants, link, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

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
 * @param makeLink makes a hard link
 * @throws {ConfigError} when it can't be written, or another running process holds it
 */
export async function openDataDir(path: string, makeLink = link): Promise<DataDir> {
  await openFolder('DATA_DIR', path);
  const lock = lockOf(path);
  const holder = await take(lock, makeLink);
  if (holder) throw new ConfigError(`DATA_DIR: ${path} is in use by process ${holder}`);
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

/** Takes a lock, by one call that fails where there is one. Returns the id of the running process that holds it instead. */
async function take(lock: string, makeLink: typeof link): Promise<number | undefined> {
  const mine = `${lock}.${randomBytes(6).toString('hex')}`;
  await writeWhole(mine, await identityOf(process.pid));
  try {
    for (;;) {
      if (await isTaken(mine, lock, makeLink)) return undefined;
      const content = await contentOf(lock);
      if (content === undefined) continue; // it was just released
      const pid = Number.parseInt(content, 10);
      if (content !== '' && (await identityOf(pid)) === content) return pid;
      await removeStale(lock, content, makeLink);
    }
  } finally {
    await rm(mine, { force: true });
  }
}

/** Removes the lock of a process that has ended. A lock of its own ensures that nobody removes what another has taken since. */
async function removeStale(lock: string, content: string, makeLink: typeof link): Promise<void> {
  const removing = `${lock}.removing`;
  if (await take(removing, makeLink)) return sleep(POLL_MS);
  if ((await contentOf(lock)) === content) await rm(lock);
  await rm(removing);
}

const POLL_MS = 20;

/** How file systems say that they have no hard links: exFAT, shares of some clouds, folders that a virtual machine shares. */
const withoutLinks = new Set<string | undefined>(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

async function isTaken(mine: string, lock: string, makeLink: typeof link): Promise<boolean> {
  try {
    await makeLink(mine, lock);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    if (!withoutLinks.has(code)) throw new ConfigError(`DATA_DIR: ${lock} can not be written (${code})`);
  }
  // Two calls: of two processes that start at the same moment, both may get it.
  if ((await contentOf(lock)) !== undefined) return false;
  await rename(mine, lock);
  return true;
}

/** Undefined when there is none. */
async function contentOf(lock: string): Promise<string | undefined> {
  try {
    return await readFile(lock, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new ConfigError(`DATA_DIR: ${lock} can not be read (${code})`);
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
