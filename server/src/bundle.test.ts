import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, it } from 'vitest';

import { freshBundle, stampOf, type Manifest } from './bundle.ts';

let root = '';
let at = { root, manifestFile: '' };

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'foyer-bundle-'));
  at = { root, manifestFile: join(root, 'manifest.json') };
  await writeFile(join(root, 'orders.ts'), 'export const limit = 3;');
  const stamps = { 'orders.ts': stampOf(join(root, 'orders.ts')) ?? '' };
  const manifest: Manifest = {
    root,
    entries: {
      server: 'made/server.mjs',
      cli: 'made/cli.mjs',
      distributed: 'made/distributed.mjs',
      process: 'made/process.mjs',
    },
    stamps,
  };
  await writeFile(at.manifestFile, JSON.stringify(manifest));
});

afterEach(() => rm(root, { recursive: true, force: true }));

it('uses a bundle while its files are unchanged', () => {
  expect(freshBundle(at)?.entries.server).toBe('made/server.mjs');
});

it('uses no bundle once a file in it has changed', async () => {
  await writeFile(join(root, 'orders.ts'), 'export const limit = 30;');
  expect(freshBundle(at)).toBeUndefined();
});

it('uses no bundle once a file in it was written again at the same length', async () => {
  await utimes(join(root, 'orders.ts'), new Date(), new Date(Date.now() + 5_000));
  expect(freshBundle(at)).toBeUndefined();
});

it('uses no bundle once a file in it is deleted', async () => {
  await rm(join(root, 'orders.ts'));
  expect(freshBundle(at)).toBeUndefined();
});

it('uses no bundle that was made at another path', () => {
  expect(freshBundle({ ...at, root: join(root, 'elsewhere') })).toBeUndefined();
});

it('uses no bundle when none was made', async () => {
  await rm(at.manifestFile);
  expect(freshBundle(at)).toBeUndefined();
});
