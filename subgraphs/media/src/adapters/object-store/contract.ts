import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';

import { describeStores } from '@foyer/shared/testing/s3';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { KeyRefused, ObjectChanged, ObjectMissing, type ObjectStore } from '#ports/object-store.ts';

/** What every object store must do, whatever lies behind it. */
export function objectStoreContract(
  where: { where: string; isS3?: boolean },
  make: () => Promise<{ store: ObjectStore; stop(): Promise<void> }>,
) {
  describeStores('the object store on', [where], () => {
    let store: ObjectStore;
    let stop: () => Promise<void>;
    let folder: string;
    const keysUnder = async (prefix: string) =>
      (await Array.fromAsync(store.list(prefix))).map(({ key }) => key).toSorted();

    beforeAll(async () => {
      ({ store, stop } = await make());
      folder = await mkdtemp(join(tmpdir(), 'foyer-contract-'));
    });
    afterAll(async () => {
      await stop();
      await rm(folder, { recursive: true, force: true });
    });

    it('gives back what was put, with its size', async () => {
      const bytes = randomBytes(300_000);
      const put = await store.put('a/one.bin', Readable.from([bytes.subarray(0, 7), bytes.subarray(7)]));

      expect(put.size).toBe(300_000);
      expect(await buffer(await read(store, 'a/one.bin'))).toEqual(bytes);
      expect(await store.stat('a/one.bin')).toEqual(put);
    });

    it('replaces what was there, and shows that by the etag', async () => {
      const first = await store.put('a/two.txt', Buffer.from('first'));
      const second = await store.put('a/two.txt', Buffer.from('other'));

      expect(await text(await read(store, 'a/two.txt'))).toBe('other');
      expect(second.etag).not.toBe(first.etag);
    });

    it.each([undefined, { start: 8, end: 9 }])('reads no bytes of what replaces an open object: %j', async (range) => {
      await store.put('a/replaced', Buffer.from('the earlier one'));
      const object = await store.open('a/replaced');
      await store.put('a/replaced', Buffer.from('short'));

      expect('the earlier one').toContain(await object?.read(range).then(text).catch(changedIsNothing));
    });

    it('leaves what was there when writing breaks off', async () => {
      await store.put('a/whole.txt', Buffer.from('whole'));
      const broken = new Readable({
        read() {
          this.push('half');
          this.destroy(new Error('the line broke'));
        },
      });

      await expect(store.put('a/whole.txt', broken)).rejects.toThrow('the line broke');
      expect(await text(await read(store, 'a/whole.txt'))).toBe('whole');
    });

    it('reads a part', async () => {
      await store.put('a/digits', Buffer.from('0123456789'));

      expect(await text(await read(store, 'a/digits', { start: 2, end: 4 }))).toBe('234');
    });

    it('takes a local file away, and brings it back', async () => {
      await writeFile(join(folder, 'local'), 'from here');
      await store.putFile('a/taken', join(folder, 'local'));
      await store.fetch('a/taken', join(folder, 'deep/back'));

      await expect(stat(join(folder, 'local'))).rejects.toThrow('ENOENT');
      expect(await readFile(join(folder, 'deep/back'), 'utf8')).toBe('from here');
    });

    it('copies and moves', async () => {
      await store.put('m/from', Buffer.from('moving'));
      await store.copy('m/from', 'm/copy');
      await store.move('m/from', 'm/deep/to');

      expect(await store.stat('m/from')).toBeNull();
      expect(await text(await read(store, 'm/copy'))).toBe('moving');
      expect(await text(await read(store, 'm/deep/to'))).toBe('moving');
    });

    it('names what is missing', async () => {
      expect(await store.stat('no/such')).toBeNull();
      expect(await store.open('no/such')).toBeNull();
      await expect(store.move('no/such', 'x')).rejects.toThrow(ObjectMissing);
      await expect(store.remove('no/such')).resolves.toBeUndefined();
    });

    it('lists by prefix, also in the middle of a name, and removes what is named, and nothing under it', async () => {
      for (const key of ['p/q/1', 'p/q/2/3', 'p/quay', 'p/r']) await store.put(key, Buffer.from(key));

      expect(await keysUnder('p/q')).toEqual(['p/q/1', 'p/q/2/3', 'p/quay']);
      await store.removeAll(['p/q/1', 'p/q/2', 'p/none', 'p/r']);
      expect(await keysUnder('p/')).toEqual(['p/q/2/3', 'p/quay']);
      await store.removeAll([]);
    });

    it('takes keys in every script', async () => {
      const key = 'тест/音楽 & co/100% #1?.txt';
      await store.put(key, Buffer.from('ü'));

      expect(await keysUnder('тест/')).toEqual([key]);
      expect(await text(await read(store, key))).toBe('ü');
    });

    it.each([
      '',
      '/a',
      'a/',
      'a//b',
      '.',
      '../a',
      'a/../../b',
      'a/./b',
      'a\0b',
      'a\\b',
      'x'.repeat(256),
      `${'y/'.repeat(600)}z`,
    ])('refuses the key %j', async (key) => {
      await expect(store.put(key, Buffer.from('x'))).rejects.toThrow(KeyRefused);
      await expect(store.open(key)).rejects.toThrow(KeyRefused);
      await expect(store.stat(key)).rejects.toThrow(KeyRefused);
      await expect(store.copy('a/digits', key)).rejects.toThrow(KeyRefused);
    });

    it('can be checked for writing, which leaves nothing', async () => {
      const before = (await Array.fromAsync(store.list(''))).length;
      await store.check();
      expect(await Array.fromAsync(store.list(''))).toHaveLength(before);
    });

    it('makes links that name the object', async () => {
      const url = await store.presign('a/digits', 60);

      expect(decodeURIComponent(url.pathname)).toContain('a/digits');
    });
  });
}

async function read(store: ObjectStore, key: string, range?: { start: number; end: number }): Promise<Readable> {
  const object = await store.open(key);
  if (!object) throw new ObjectMissing(key);
  return object.read(range);
}

function changedIsNothing(error: unknown): string {
  if (error instanceof ObjectChanged) return '';
  throw error;
}
