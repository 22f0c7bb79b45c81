import { mkdir, mkdtemp, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';

import { describe, expect, it, vi } from 'vitest';

import { KeyRefused } from '#ports/object-store.ts';

import { openWorkFolder } from '../../processing/work-folder.ts';
import { objectStoreContract } from './contract.ts';
import { diskObjectStore } from './disk.ts';

async function aStore() {
  const folder = await mkdtemp(join(tmpdir(), 'foyer-store-'));
  const presign = (key: string) => new URL(`http://localhost/assets/${encodeURI(key)}`);
  const { folder: scratch } = await openWorkFolder(join(folder, '.work'));
  const store = await diskObjectStore({ folder, bucket: 'media', scratch, presign });
  return { store, folder, stop: () => rm(folder, { recursive: true, force: true }) };
}

objectStoreContract({ where: 'a local disk' }, aStore);

describe('the object store on a local disk', () => {
  it('follows no symbolic link', async () => {
    const { store, folder, stop } = await aStore();
    await writeFile(join(folder, 'secret'), 'secret');
    await symlink(folder, join(folder, 'media/bent'));
    await symlink(join(folder, 'secret'), join(folder, 'media/direct'));

    await expect(store.open('bent/secret')).rejects.toThrow(KeyRefused);
    expect(await store.stat('direct')).toBeNull();
    expect(await store.open('direct')).toBeNull();
    await stop();
  });

  it('misses nothing while the disk itself is not there', async () => {
    const { store, folder, stop } = await aStore();
    await store.put('a/b', Buffer.from('x'));
    await rename(join(folder, 'media'), join(folder, 'elsewhere'));

    const away = { reason: 'STORE_AWAY' };
    await expect(store.stat('a/b')).rejects.toMatchObject(away);
    await expect(store.open('a/b')).rejects.toMatchObject(away);
    await expect(store.move('a/b', 'c')).rejects.toMatchObject(away);
    await expect(store.check()).rejects.toMatchObject(away);
    await rename(join(folder, 'elsewhere'), join(folder, 'media'));
    expect(await store.stat('a/b')).toMatchObject({ size: 1 });
    await stop();
  });

  it('refuses a key when a file is in the way of a folder', async () => {
    const { store, stop } = await aStore();
    await store.put('a', Buffer.from('file'));
    await store.put('b/c', Buffer.from('file'));

    await expect(store.put('a/b', Buffer.from('x'))).rejects.toThrow(KeyRefused);
    await expect(store.put('b', Buffer.from('x'))).rejects.toThrow(KeyRefused);
    await stop();
  });

  it('does not disturb another process that writes to the same folder', async () => {
    const { store, folder, stop } = await aStore();
    const slow = new PassThrough();
    const written = store.put('a/slow', slow);
    slow.write('begun, ');
    const { folder: scratch, sweep } = await openWorkFolder(join(folder, '.work'));
    await diskObjectStore({ folder, bucket: 'media', scratch, presign: () => new URL('http://localhost') });
    await sweep(60_000);
    slow.end('and ended');
    await written;

    const object = await store.open('a/slow');
    expect(await text((await object?.read()) ?? new PassThrough())).toBe('begun, and ended');
    await stop();
  });

  it('does not take another process for dead because its own clock is wrong', async () => {
    const { folder, stop } = await aStore();
    const others = join(folder, '.work/alive');
    await mkdir(others);
    try {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
      const { sweep } = await openWorkFolder(join(folder, '.work'));
      await sweep(60_000);
    } finally {
      vi.useRealTimers();
    }

    expect((await stat(others)).isDirectory()).toBe(true);
    await stop();
  });

  it('removes unfinished files of a process that was silent for long', async () => {
    const { folder, store, stop } = await aStore();
    const dead = join(folder, '.work/dead');
    await mkdir(dead);
    await writeFile(join(dead, 'half'), 'half');
    await utimes(dead, 0, 0);
    const { sweep } = await openWorkFolder(join(folder, '.work'));
    await sweep(60_000);

    await expect(stat(dead)).rejects.toThrow('ENOENT');
    expect(await Array.fromAsync(store.list(''))).toEqual([]);
    await stop();
  });
});
