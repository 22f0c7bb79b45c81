import { mkdir, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Context } from '../context.ts';
import { mediaFixture } from '../testing/media-fixture.ts';
import { openScratchMedia, type ScratchMedia } from '../testing/scratch-media.ts';
import { sweepUploads } from './sweep-uploads.ts';
import { handleHook } from './hooks/handle-hook.ts';

let server: ScratchMedia;
beforeAll(async () => {
  server = await openScratchMedia();
});
afterAll(() => server.stop());

const HOUR_MS = 3_600_000;
const ago = (hours: number) => new Date(Date.now() - hours * HOUR_MS);
const fileOf = (id: string) => join(server.folder, 'media/media/uploads', id);

interface Begun {
  /** Else it is still receiving. */
  how?: object;
  begunHoursAgo: number;
  /** When its last byte came. */
  lastHoursAgo: number;
}

/** An upload in the journal, with half of its bytes. */
async function anUpload(id: string, { how = {}, begunHoursAgo, lastHoursAgo }: Begun): Promise<void> {
  await server.db.upload.create({
    data: { id, key: `uploads/${id}`, tokenHash: id, size: 10, ...how, createdAt: ago(begunHoursAgo) },
  });
  await mkdir(dirname(fileOf(id)), { recursive: true });
  await writeFile(fileOf(id), 'half');
  await utimes(fileOf(id), ago(lastHoursAgo), ago(lastHoursAgo));
}

/** Whether its bytes and its row are still there. */
const isThere = async (id: string) => [
  await stat(fileOf(id)).then(
    () => true,
    () => false,
  ),
  (await server.db.upload.count({ where: { id } })) === 1,
];

describe('the sweep of unfinished uploads', () => {
  it('removes uploads that received no byte for a day and rejected ones; nothing else', async () => {
    await anUpload('given-up', { begunHoursAgo: 30, lastHoursAgo: 25 });
    await anUpload('rejected', {
      how: { state: 'rejected', reason: 'its size differs' },
      begunHoursAgo: 30,
      lastHoursAgo: 30,
    });
    await anUpload('long', { begunHoursAgo: 72, lastHoursAgo: 1 });
    await anUpload('young', { begunHoursAgo: 2, lastHoursAgo: 2 });
    await anUpload('finished', {
      how: { state: 'finished', finishedAt: ago(72) },
      begunHoursAgo: 72,
      lastHoursAgo: 72,
    });
    await sweepUploads(server.media.contextFor({} as never) as Context);

    expect(await isThere('given-up')).toEqual([false, false]);
    expect(await isThere('rejected')).toEqual([false, false]);
    expect(await isThere('long')).toEqual([true, true]);
    expect(await isThere('young')).toEqual([true, true]);
    expect(await isThere('finished')).toEqual([true, true]); // the reconciler's
  });

  it('keeps what tusd receives, which is completed at its end, however long it takes', async () => {
    const needs = server.media.contextFor({} as never) as Context;
    const token = await server.prepare({ title: 'x', originalName: 'n', fileName: 'long.txt', fileSize: 4 });
    const upload = { id: 'of-tusd', size: 4, isPartial: false, token, key: 'uploads/of-tusd' };
    await handleHook(needs, { type: 'post-create', upload });
    await mkdir(dirname(fileOf('of-tusd')), { recursive: true });
    await writeFile(fileOf('of-tusd'), 'half');
    await utimes(fileOf('of-tusd'), ago(25), ago(25));
    await server.db.upload.updateMany({ data: { createdAt: ago(30) } });
    await server.db.uploadToken.updateMany({ data: { expiresAt: ago(30) } });
    await sweepUploads(needs);
    expect(await isThere('of-tusd')).toEqual([true, true]);
    await server.db.upload.updateMany({ data: { createdAt: ago(8 * 24) } });
    await sweepUploads(needs);
    expect(await isThere('of-tusd')).toEqual([true, false]);

    await handleHook(needs, { type: 'post-finish', upload });
    expect(await server.db.upload.findUnique({ where: { id: 'of-tusd' } })).toMatchObject({ state: 'completed' });
    await expect(handleHook(needs, { type: 'post-create', upload: { ...upload, id: 'another' } })).rejects.toThrow();
  });

  it('removes what tusd stored under a key of its own and was rejected, but nothing that belongs to a media item', async () => {
    const needs = server.media.contextFor({} as never) as Context;
    const keys = { 'of-tusd+rejected': 'from-tusd/rejected', 'of-tusd+taken': 'from-tusd/taken' };
    for (const [id, key] of Object.entries(keys)) {
      await needs.store.put(key, Buffer.from('longer'));
      const token = await server.prepare({ title: 'x', originalName: 'n', fileName: `${id}.txt`, fileSize: 5 });
      const upload = { id, size: undefined, isPartial: false, token, key };
      await handleHook(needs, { type: 'post-create', upload });
      await handleHook(needs, { type: 'post-finish', upload });
      await utimes(join(server.folder, 'media/media', key), ago(25), ago(25));
    }
    const rejected = { id: { startsWith: 'of-tusd+' }, state: 'rejected' } as const;
    expect((await server.db.upload.updateMany({ where: rejected, data: { createdAt: ago(30) } })).count).toBe(2);
    await server.db.media.create({ data: mediaFixture({ storageKey: 'from-tusd/taken' }) });

    await sweepUploads(needs);

    expect((await Array.fromAsync(needs.store.list('from-tusd/'))).map(({ key }) => key)).toEqual(['from-tusd/taken']);
    expect(await server.db.upload.count({ where: rejected })).toBe(0);
  });

  it('removes the expired tokens of the uploads that it removes', async () => {
    const needs = server.media.contextFor({} as never) as Context;
    await server.prepare({ title: 'x', originalName: 'n', fileName: 'left.txt', fileSize: 10 });
    await server.prepare({ title: 'x', originalName: 'n', fileName: 'refused.txt', fileSize: 10 });
    const tokens = await server.db.uploadToken.findMany({
      where: { fileName: { in: ['left.txt', 'refused.txt'] } },
      orderBy: { fileName: 'asc' },
    });
    for (const [at, { id }] of tokens.entries())
      await server.db.uploadToken.update({
        where: { id },
        data: { uploadId: `bound-${at}`, expiresAt: ago(30) },
      });
    await anUpload('bound-0', { begunHoursAgo: 30, lastHoursAgo: 25 });
    await anUpload('bound-1', {
      how: { state: 'rejected', reason: 'its size differs' },
      begunHoursAgo: 30,
      lastHoursAgo: 30,
    });
    await sweepUploads(needs);

    expect(await server.db.upload.count({ where: { id: { startsWith: 'bound-' } } })).toBe(0);
    expect(await server.db.uploadToken.count({ where: { id: { in: tokens.map(({ id }) => id) } } })).toBe(0);
  });

  it('keeps the row of what can not be removed, and goes on with the others and the tokens', async () => {
    await anUpload('2-given-up', { begunHoursAgo: 30, lastHoursAgo: 25 });
    await server.db.upload.create({
      data: { id: '1-stuck', key: 'uploads/1-stuck', tokenHash: '1-stuck', size: 10, createdAt: ago(30) },
    });
    await mkdir(fileOf('1-stuck')); // a folder, which is not removed like a file
    await utimes(fileOf('1-stuck'), ago(25), ago(25));
    await server.prepare({ title: 'x', originalName: 'n', fileName: 'n.txt', fileSize: 5, mediaType: 'text' });
    await server.db.uploadToken.updateMany({ where: { uploadId: null }, data: { expiresAt: ago(25) } });
    await sweepUploads(server.media.contextFor({} as never) as Context);

    expect(await isThere('1-stuck')).toEqual([true, true]);
    expect(await isThere('2-given-up')).toEqual([false, false]);
    expect(await server.db.uploadToken.count({ where: { uploadId: null } })).toBe(0);
  });

  it('removes used tokens a day after they expire: they name people and files that may be gone', async () => {
    for (const [at, hours] of [23, 25].entries()) {
      await server.prepare({
        title: 'x',
        originalName: 'n',
        fileName: `used-${at}.txt`,
        fileSize: 5,
        mediaType: 'text',
      });
      const used = { usedAt: ago(hours), uploadId: `used-${at}`, expiresAt: ago(hours) };
      await server.db.uploadToken.updateMany({ where: { fileName: `used-${at}.txt` }, data: used });
    }
    await sweepUploads(server.media.contextFor({} as never) as Context);

    const left = await server.db.uploadToken.findMany({ where: { usedAt: { not: null } }, select: { fileName: true } });
    expect(left.map(({ fileName }) => fileName)).toContain('used-0.txt');
    expect(left.map(({ fileName }) => fileName)).not.toContain('used-1.txt');
  });

  it('removes unused tokens a day after they expire', async () => {
    const prepared = { title: 'x', originalName: 'n', fileName: 'n.txt', fileSize: 5, mediaType: 'text' };
    await server.prepare(prepared);
    await server.db.uploadToken.updateMany({ data: { expiresAt: ago(25) } });
    await server.prepare(prepared);
    await sweepUploads(server.media.contextFor({} as never) as Context);

    expect(await server.db.uploadToken.count({ where: { uploadId: null } })).toBe(1);
  });
});
