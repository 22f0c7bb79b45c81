import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { nameOf, receiptStoreContract } from './contract.ts';
import { diskReceiptStore } from './disk.ts';

const signal = new AbortController().signal;

receiptStoreContract({ where: 'a local disk' }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'foyer-receipts-'));
  return {
    store: diskReceiptStore(join(folder, 'data/receipts')),
    stop: () => rm(folder, { recursive: true, force: true }),
  };
});

describe('the store of printed receipts on a local disk', () => {
  let parent: string;
  beforeAll(async () => (parent = await mkdtemp(join(tmpdir(), 'foyer-receipts-'))));
  afterAll(() => rm(parent, { recursive: true, force: true }));

  it('lets nobody but its owner read the folder and the files', async () => {
    const folder = join(parent, 'private');
    await diskReceiptStore(folder).keep(nameOf('mine'), Buffer.from('%PDF-'), signal);

    expect(await readdir(folder)).toEqual([nameOf('mine')]);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect((await stat(join(folder, nameOf('mine')))).mode & 0o777).toBe(0o600);
  });

  it('sweeps the oldest, what a killed process was writing, and no file of others', async () => {
    const folder = join(parent, 'swept');
    const store = diskReceiptStore(folder);
    for (const [at, text] of ['old', 'middle', 'new'].entries()) {
      await store.keep(nameOf(text), Buffer.from(text), signal);
      await utimes(join(folder, nameOf(text)), 1_000 + at, 1_000 + at);
    }
    const half = `${nameOf('half')}.0a0c0000-0000-4000-8000-000000000101`;
    for (const name of [half, 'film.mp4', nameOf('x').slice(1)]) {
      await writeFile(join(folder, name), 'x');
      await utimes(join(folder, name), 10, 10);
    }
    await store.sweep(new Date(900_000), 2, signal);

    const left = ['film.mp4', nameOf('x').slice(1), nameOf('middle'), nameOf('new')];
    expect((await readdir(folder)).toSorted()).toEqual(left.toSorted());
  });

  it('leaves no half file behind when writing fails', async () => {
    const folder = join(parent, 'failed');
    const store = diskReceiptStore(folder);
    await store.keep(nameOf('first'), Buffer.from('x'), signal);

    await expect(store.keep(nameOf('second'), Buffer.from('x'), AbortSignal.abort())).rejects.toThrow();
    expect(await readdir(folder)).toEqual([nameOf('first')]);
  });
});
