import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, it } from 'vitest';

import { openDataDir } from './data-dir.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-lock-'));
});
afterEach(() => rm(folder, { recursive: true }));

const ended = '4194305 17';

it.each<[string, Record<string, string>]>([
  ['that is new', {}],
  ['whose last process has ended', { process: ended }],
  ['whose lock is empty', { process: '' }],
  ['whose last start ended while it took the lock', { process: ended, 'process.removing': ended }],
])('of those that start at the same moment on a data folder %s, one gets it', async (_which, left) => {
  for (const [name, content] of Object.entries(left)) await writeFile(join(folder, name), content);

  const starts = await Promise.allSettled(Array.from({ length: 5 }, () => openDataDir(folder)));

  const opened = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []));
  const refused = starts.flatMap((start) => (start.status === 'rejected' ? [String(start.reason)] : []));
  expect(opened).toHaveLength(1);
  expect(new Set(refused)).toEqual(new Set([`ConfigError: DATA_DIR: ${folder} is in use by process ${process.pid}`]));
  expect(await readFile(join(folder, 'process'), 'utf8')).toMatch(`${process.pid} `);

  await opened[0]?.release();
  expect(await readdir(folder)).toEqual([]);
  await (await openDataDir(folder)).release();
});

it.each(['EPERM', 'ENOTSUP', 'ENOSYS'])(
  'one without hard links (%s) is held, too, and taken over from a process that has ended',
  async (code) => {
    const open = () => openDataDir(folder, () => Promise.reject(Object.assign(new Error(code), { code })));
    await writeFile(join(folder, 'process'), ended);

    const opened = await open();
    await expect(open()).rejects.toThrow(`DATA_DIR: ${folder} is in use by process ${process.pid}`);
    await expect(openDataDir(folder)).rejects.toThrow(`DATA_DIR: ${folder} is in use by process ${process.pid}`);

    await opened.release();
    expect(await readdir(folder)).toEqual([]);
  },
);
