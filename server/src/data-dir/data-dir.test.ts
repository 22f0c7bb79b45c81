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
