import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { DiskUploadStore } from './disk.ts';

let folder: string;
let store: DiskUploadStore;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-uploads-'));
  await mkdir(join(folder, 'uploads'));
  const journal = {} as ConstructorParameters<typeof DiskUploadStore>[0]['journal'];
  store = new DiskUploadStore({ bucketFolder: folder, prefix: 'uploads', scratch: folder, journal });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it('a file that can not be read is not taken for one that is missing', async () => {
  await symlink('unreadable', join(folder, 'uploads/unreadable')); // leads to itself

  await expect(store.received('unreadable')).rejects.toThrow('ELOOP');
  await expect(store.flush('unreadable')).rejects.toThrow('ELOOP');
  expect(await store.received('missing')).toBeNull();
  await store.flush('missing');
});
