import { describeStores } from '@foyer/shared/testing/s3';
import { expect, it } from 'vitest';

import { memberOf, onDisk, onS3 } from '../testing/library-fixture.ts';
import { nothing, reasonOf, updatedLibrary, viewer, type Changes } from '../testing/updated-library.ts';
import { updateMedia } from './update-media.ts';

const places = [
  { where: 'a disk', openStore: onDisk },
  { where: 'an S3 server', isS3: true, openStore: onS3 },
];

describeStores('updating a media item, on', places, ({ openStore }) => {
  const { library, profile, update, rowOf, read, keys, audited, aFilm, aFile } = updatedLibrary(openStore);

  it('changes the title at once, also while it is being processed', async () => {
    const id = await library().upload(viewer, 'a file', { fileName: 'notes.txt' });
    expect(await update(id, { title: ' New ' })).toMatchObject({ title: 'New', transcodingStage: 'queued' });
    await library().work();
    expect(await rowOf(id)).toMatchObject({ title: 'New', transcodingStage: 'done' });
  });

  it('gives a ladder and a folder of its own to a film that was uploaded without a profile', async () => {
    const id = await aFilm('drafts');
    expect(await keys()).toEqual([`acme/drafts/.thumbnails/${id}.jpg`, 'acme/drafts/film.mp4']);

    await update(id, { transcodingProfileId: profile.ladder });
    await library().work();

    const prefix = `acme/drafts/${id}`;
    expect(await rowOf(id)).toMatchObject({
      transcodingStage: 'done',
      storageKey: `${prefix}/source/film.mp4`,
      thumbnailKey: `${prefix}/thumbnail.jpg`,
      manifestKey: `${prefix}/hls/master.m3u8`,
    });
    expect(await read('acme/drafts/film.mp4')).toBe(await read(`${prefix}/source/film.mp4`));
    expect((await keys()).filter((key) => !key.startsWith(`${prefix}/`))).toEqual([]);
    expect(await audited()).toEqual(nothing);
  });

  it('replaces the ladder with that of another profile, and removes it with passthrough', async () => {
    const id = await aFilm('drafts', profile.ladder);
    await update(id, { transcodingProfileId: profile.other });
    expect((await rowOf(id)).manifestKey).not.toBeNull();
    await library().work();
    expect(await rowOf(id)).toMatchObject({ transcodingStage: 'done', transcodingProfileId: Number(profile.other) });

    await update(id, { transcodingProfileId: profile.passthrough });
    expect(await rowOf(id)).toMatchObject({ manifestKey: null, smilKey: null });
    await library().work();
    expect(await rowOf(id)).toMatchObject({ transcodingStage: 'done', manifestKey: null });
    expect(await keys()).toEqual([`acme/drafts/${id}/source/film.mp4`, `acme/drafts/${id}/thumbnail.jpg`]);
    expect(await audited()).toEqual(nothing);
  });

  it('refuses a new place while the item is processed, or was never moved to its first one', async () => {
    const id = await library().upload(viewer, 'a file', { fileName: 'notes.txt' });
    await expect(update(id, { folder: 'b' }).catch(reasonOf)).resolves.toBe('PROCESSING_RUNS');
    await library().db.media.update({
      where: { id },
      data: { status: 'failed', transcodingStage: 'failed', failureReason: 'move failed' },
    });
    await expect(update(id, { folder: 'b' }).catch(reasonOf)).resolves.toBe('MEDIA_NOT_READY');
  });

  it.each<[Changes]>([
    [{ folder: '../other' }],
    [{ folder: 'a//b' }],
    [{ folder: '.thumbnails' }],
    [{ folder: 'x'.repeat(201) }],
    [{ folder: 'a\u0000b' }],
    [{ title: '  ' }],
    [{ title: 'two\nlines' }],
    [{ transcodingProfileId: '4000000' }],
    [{ transcodingProfileId: '1' }],
  ])('refuses %j for a text file', async (input) => {
    const id = await aFile('a', 'notes.txt', 'mine');
    await expect(update(id, input).catch(reasonOf)).resolves.toBe('VALIDATION_FAILED');
    expect(await rowOf(id)).toMatchObject({ folder: 'a', title: 'x', run: 1 });
  });

  it('finds no item of another workspace', async () => {
    const id = await aFile('a', 'notes.txt', 'mine');
    const asked = updateMedia(library().as(memberOf(2)), { id: String(id), input: { title: 'Mine now' } });
    await expect(asked.catch(reasonOf)).resolves.toBe('MEDIA_NOT_FOUND');
  });
});
