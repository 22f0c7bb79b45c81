import { describeStores } from '@foyer/shared/testing/s3';
import { expect, it } from 'vitest';

import { onDisk, onS3 } from '../testing/library-fixture.ts';
import { nothing, reasonOf, updatedLibrary, viewer } from '../testing/updated-library.ts';

const places = [
  { where: 'a disk', openStore: onDisk, kills: Array.from({ length: 20 }, (_, changes) => changes) },
  { where: 'an S3 server', isS3: true, openStore: onS3, kills: [1, 4, 8, 9] },
];

describeStores('another folder for a media item, on', places, ({ openStore, kills }) => {
  const { library, profile, update, rowOf, read, keys, audited, aFilm, aFile } = updatedLibrary(openStore);

  it('moves all files of a film to another folder; links to the old ones stay valid', async () => {
    const id = await aFilm('drafts', profile.ladder);
    const { storageKey } = await rowOf(id);
    await library().db.media.update({ where: { id }, data: { normalizedKey: storageKey } });
    const before = await library().everything();

    expect(await update(id, { folder: '/seasons/1/', title: 'Moved' })).toMatchObject({ folder: 'seasons/1' });
    await library().work();

    const prefix = `acme/seasons/1/${id}`;
    expect(await rowOf(id)).toMatchObject({
      title: 'Moved',
      transcodingStage: 'done',
      progress: 100,
      storageKey: `${prefix}/source/film.mp4`,
      normalizedKey: `${prefix}/source/film.mp4`,
      thumbnailKey: `${prefix}/thumbnail.jpg`,
      manifestKey: `${prefix}/hls/master.m3u8`,
      smilKey: `${prefix}/smil/ladder.smil`,
    });
    const after = await library().everything();
    for (const [key, bytes] of before) {
      expect(after.get(key.replace(`acme/drafts/${id}`, prefix))).toBe(bytes);
      expect(await read(key)).toBe(bytes);
    }
    expect(after.size).toBe(before.size);
    expect(await audited()).toEqual(nothing);
  });

  it('moves a film that was uploaded at the top of its tenant, too', async () => {
    const id = await aFilm('', profile.ladder);
    const before = await library().everything();

    await update(id, { folder: 'seasons' });
    await library().work();

    expect(await rowOf(id)).toMatchObject({
      storageKey: `acme/seasons/${id}/source/film.mp4`,
      manifestKey: `acme/seasons/${id}/hls/master.m3u8`,
    });
    const after = await library().everything();
    for (const [key, bytes] of before) {
      expect(after.get(key.replace(`acme/${id}`, `acme/seasons/${id}`))).toBe(bytes);
      expect(await read(key)).toBe(bytes);
    }
    expect(after.size).toBe(before.size);
    expect(await audited()).toEqual(nothing);
  });

  it('moves on and back; each of its old links leads to it', async () => {
    const id = await aFile('a', 'notes.txt', 'mine');
    for (const folder of ['b', 'c', 'a', 'b', '']) {
      await update(id, { folder });
      await library().work();
    }
    for (const key of ['acme/a/notes.txt', 'acme/b/notes.txt', 'acme/c/notes.txt', 'acme/notes.txt'])
      expect(await read(key)).toBe('mine');
    expect(await keys()).toEqual(['acme/notes.txt']);
    expect(await rowOf(id)).toMatchObject({ storageKey: 'acme/notes.txt', folder: '' });
  });

  it('never takes the key of another item: of two files of one name, both keep their bytes', async () => {
    const resident = await aFile('there', 'notes.txt', 'of the resident');
    const id = await aFile('here', 'notes.txt', 'of the newcomer');
    await update(id, { folder: 'there' });
    const late = await library().upload(viewer, 'of a third', { fileName: 'notes.txt', folder: 'there' });
    await library().work();

    const at = await Promise.all([resident, id, late].map(async (each) => (await rowOf(each)).storageKey));
    expect(at[0]).toBe('acme/there/notes.txt');
    expect(await Promise.all(at.map(read))).toEqual(['of the resident', 'of the newcomer', 'of a third']);
    expect(new Set(at).size).toBe(3);
  });

  it('names only stored files, wherever the process is killed, and ends without leftovers', async () => {
    for (const changes of kills) {
      await library().clear();
      const id = await aFilm('drafts', profile.ladder);
      const before = await library().everything();
      await update(id, { folder: 'final' });
      await library().workAndBreak(changes);

      const { storageKey, thumbnailKey, manifestKey, smilKey } = await rowOf(id);
      const there = await keys();
      for (const key of [storageKey, thumbnailKey, manifestKey, smilKey]) expect(there).toContain(key);
      for (const [key, bytes] of before) expect(await read(key)).toBe(bytes);

      await library().work();
      expect(await rowOf(id)).toMatchObject({ transcodingStage: 'done', run: 2 });
      expect(await keys()).toEqual([...before.keys()].map((key) => key.replace('drafts', 'final')).toSorted());
      expect(await audited()).toEqual(nothing);
    }
  });

  it('lets one of two concurrent moves win', async () => {
    const id = await aFile('a', 'notes.txt', 'mine');
    const moves = await Promise.allSettled(['b', 'c', 'd', 'e'].map((folder) => update(id, { folder })));
    await library().work();

    const refused = moves.flatMap((move) => (move.status === 'rejected' ? [reasonOf(move.reason)] : []));
    expect(refused).toEqual(['PROCESSING_RUNS', 'PROCESSING_RUNS', 'PROCESSING_RUNS']);
    const { folder, storageKey } = await rowOf(id);
    expect(await keys()).toEqual([storageKey]);
    expect(storageKey).toBe(`acme/${folder}/notes.txt`);
  });

  it('leaves nothing when the item is deleted in the middle of a move', async () => {
    const id = await aFilm('drafts', profile.ladder);
    await update(id, { folder: 'final' });
    await library().workAndBreak(3);
    await library().remove(viewer, id);
    await library().work();
    expect(await keys()).toEqual([]);
    expect(await library().db.movedObject.count()).toBe(0);
  });

  it('removes the copies of a move that is given up, and moves when it is told again', async () => {
    const id = await aFilm('drafts', profile.ladder);
    const before = await keys();
    await update(id, { folder: 'final' });
    const { store } = library().needs;
    const { copy } = store;
    store.copy = async (from, to) => {
      if (from.endsWith('.smil')) throw new Error('the store is away');
      return copy(from, to);
    };
    await library().work();
    store.copy = copy;

    expect(await rowOf(id)).toMatchObject({
      transcodingStage: 'failed',
      storageKey: expect.stringContaining('drafts'),
    });
    expect(await keys()).toEqual(before);
    await update(id, { folder: 'final' });
    await library().work();
    expect(await keys()).toEqual(before.map((key) => key.replace('drafts', 'final')));
  });

  it('keeps the failure of a failed item that moves', async () => {
    const id = await aFilm('drafts', profile.ladder);
    await library().db.media.update({
      where: { id },
      data: { transcodingStage: 'failed', failureReason: 'There is no video in this file.' },
    });
    await update(id, { folder: 'final' });
    await library().work();
    expect(await rowOf(id)).toMatchObject({
      transcodingStage: 'failed',
      failureReason: 'There is no video in this file.',
      storageKey: `acme/final/${id}/source/film.mp4`,
    });
  });
});
