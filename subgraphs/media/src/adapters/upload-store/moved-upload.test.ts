import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { UploadJournal } from '../../uploads/journal.ts';
import { DiskUploadStore } from './disk.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-moved-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const row = {
  id: 'x',
  size: 5,
  metadata: undefined,
  createdAt: '2030-01-01T00:00:00Z',
  completed: true,
  multipartId: undefined,
};

/** An upload without bytes in the store. @param looks how often its row is read before it is completed */
function aStore(looks: number): DiskUploadStore {
  let left = looks;
  const journal: UploadJournal = {
    get: async () => ({ ...row, completed: left-- <= 0 }),
    set: async () => undefined,
    delete: async () => undefined,
  };
  return new DiskUploadStore({ bucketFolder: folder, prefix: 'uploads', scratch: folder, journal });
}

describe('an upload that was moved to its final place', () => {
  it('answers with its final offset, for a client that missed the last answer', async () => {
    expect(await aStore(0).getUpload('x')).toMatchObject({ size: 5, offset: 5 });
  });

  it('does so when it is moved while the client asks', async () => {
    expect(await aStore(2).getUpload('x')).toMatchObject({ size: 5, offset: 5 });
  });

  it('is gone when it was not completed', async () => {
    await expect(aStore(100).getUpload('x')).rejects.toMatchObject({ status_code: 410 });
  });
});
