import { mkdir, mkdtemp, open, readdir, readlink, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { keptFiles } from './kept-files.ts';

let folder: string;
let opened: string[];
let files: ReturnType<typeof keptFiles>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-kept-'));
  opened = [];
  files = keptFiles(async (path) => {
    opened.push(path);
    return open(path).catch(() => null);
  });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function file(name: string, content: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

async function readAll(path: string): Promise<string | null> {
  const found = await files.open(path);
  return found && text(found.stream());
}

async function openDescriptors(): Promise<string[]> {
  const all = await readdir('/proc/self/fd');
  const paths = await Promise.all(all.map((each) => readlink(`/proc/self/fd/${each}`).catch(() => '')));
  return paths.filter((path) => path.startsWith(folder));
}

it('opens a file once for many readers, each of which reads its own part', async () => {
  const path = await file('shared', '0123456789');

  expect(await readAll(path)).toBe('0123456789');
  const parts = await Promise.all(
    Array.from({ length: 20 }, async (_, at) => {
      const found = await files.open(path);
      return found && text(found.stream({ start: at % 10, end: at % 10 }));
    }),
  );

  expect(parts.join('')).toBe('01234567890123456789');
  expect(opened.filter((each) => each === path)).toEqual([path]);
});

it('reads the new file where another process has replaced the old one', async () => {
  const path = await file('replaced', 'first');
  expect(await readAll(path)).toBe('first');
  await rename(await file('other', 'other'), path);

  expect(await readAll(path)).toBe('other');
});

it('finds no file that another process has removed', async () => {
  const path = await file('removed', 'gone');
  expect(await readAll(path)).toBe('gone');
  await rm(path);

  expect(await readAll(path)).toBeNull();
});

it('goes on to read what was forgotten meanwhile, then closes it', async () => {
  const path = await file('forgotten', 'read to the end');
  const found = await files.open(path);
  files.forget(path);
  await rm(path);

  expect(found && (await text(found.stream()))).toBe('read to the end');
  await expect.poll(openDescriptors, { timeout: 60_000 }).not.toContain(`${path} (deleted)`);
});

it('closes a file that nobody has opened for a while', async () => {
  const path = await file('left', 'left');
  const briefly = keptFiles((each) => open(each), { keptMs: 20 });
  const found = await briefly.open(path);
  expect(await openDescriptors()).toContain(path);
  await found?.close();

  await expect.poll(openDescriptors, { timeout: 60_000 }).not.toContain(path);
});

it('takes no folder for a file', async () => {
  const path = join(folder, 'folder');
  await mkdir(path);

  expect(await files.open(path)).toBeNull();
  expect(await openDescriptors()).not.toContain(path);
});

it('keeps no more than 128 files open', async () => {
  for (let number = 0; number < 200; number += 1) {
    const found = await files.open(await file(`many-${number}`, ''));
    await found?.close();
    await found?.close(); // which does nothing
  }

  await expect.poll(async () => (await openDescriptors()).length, { timeout: 60_000 }).toBeLessThanOrEqual(128);
});
