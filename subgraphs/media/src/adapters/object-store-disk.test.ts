import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { KeyRefused } from '#ports/object-store.ts';

import { objectStoreContract } from './object-store-contract.ts';
import { diskObjectStore } from './object-store-disk.ts';

async function aStore() {
  const folder = await mkdtemp(join(tmpdir(), 'foyer-store-'));
  const presign = (key: string) => new URL(`http://localhost/assets/${encodeURI(key)}`);
  const store = await diskObjectStore({ folder, bucket: 'media', presign });
  return { store, folder, stop: () => rm(folder, { recursive: true, force: true }) };
}

objectStoreContract('a local disk', aStore);

describe('the object store on a local disk', () => {
  it('follows no symbolic link', async () => {
    const { store, folder, stop } = await aStore();
    await writeFile(join(folder, 'secret'), 'secret');
    await symlink(folder, join(folder, 'media/bent'));
    await symlink(join(folder, 'secret'), join(folder, 'media/direct'));

    await expect(store.get('bent/secret')).rejects.toThrow(KeyRefused);
    expect(await store.stat('direct')).toBeNull();
    await stop();
  });

  it('says when a file is in the way of a folder', async () => {
    const { store, stop } = await aStore();
    await store.put('a', Buffer.from('file'));
    await store.put('b/c', Buffer.from('file'));

    await expect(store.put('a/b', Buffer.from('x'))).rejects.toThrow(KeyRefused);
    await expect(store.put('b', Buffer.from('x'))).rejects.toThrow(KeyRefused);
    await stop();
  });

  it('keeps nothing of what was written halfway before it was opened', async () => {
    const { folder, stop } = await aStore();
    await writeFile(join(folder, '.tmp/half'), 'half');
    const again = await diskObjectStore({ folder, bucket: 'media', presign: () => new URL('http://localhost') });

    expect(await Array.fromAsync(again.list(''))).toEqual([]);
    await stop();
  });
});
