import { describeStores } from '@foyer/shared/testing/s3';
import { Refusal } from '@foyer/shared/errors';
import { readId } from '@foyer/shared/ids';
import Fastify from 'fastify';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';

import { openAccess } from '../assets/access.ts';
import { assetRoutes } from '../assets/routes.ts';
import type { UpdateMediaInput } from '../generated/graphql.ts';
import { memberOf, onDisk, onS3, openSmallLibrary, type SmallLibrary } from '../testing/library-fixture.ts';
import { auditStorage } from './audit-storage.ts';
import { updateMedia } from './update-media.ts';

const places = [
  { where: 'a disk', openStore: onDisk, kills: Array.from({ length: 20 }, (_, changes) => changes) },
  { where: 'an S3 server', isS3: true, openStore: onS3, kills: [1, 4, 8, 9] },
];
const viewer = memberOf(1);

type Changes = Omit<UpdateMediaInput, 'transcodingProfileId'> & { transcodingProfileId?: string };

describeStores('updating a media item, on', places, ({ openStore, kills }) => {
  let library: SmallLibrary;
  let [ladder, other, passthrough] = ['', '', ''];
  const app = Fastify();
  beforeAll(async () => {
    library = await openSmallLibrary(openStore);
    await app.register(
      assetRoutes({
        ...library.needs,
        bucket: 'media',
        linkSecrets: ['secret'],
        presignSeconds: 300,
        accessOf: openAccess(library.db, { unownedIsPublic: true }),
        hiddenPrefix: 'uploads/',
        firstByteMs: null,
      }),
    );
    const profiles = await library.db.transcodingProfile.findMany({ include: { renditions: true } });
    const [first, second] = profiles.filter(({ renditions }) => renditions.length > 0).map(({ id }) => String(id));
    ladder = first ?? '';
    other = second ?? '';
    passthrough = String(profiles.find(({ renditions }) => renditions.length === 0)?.id);
  });
  beforeEach(() => library.clear());
  afterAll(() => library.close());

  const update = (id: number, { transcodingProfileId: profile, ...input }: Changes) =>
    updateMedia(library.as(viewer), {
      id: String(id),
      input: { ...input, ...(profile && { transcodingProfileId: readId(profile) }) },
    });
  const rowOf = (id: number) => library.db.media.findUniqueOrThrow({ where: { id } });
  const read = async (key: string) => (await app.inject(`/assets/media/${encodeURI(key)}`)).body;
  const keys = async () => [...(await library.everything()).keys()].toSorted();
  const audited = async () => {
    const { orphanCount, missingCount } = await auditStorage(library.as(viewer), { limit: 1000 });
    return { orphanCount, missingCount };
  };
  const nothing = { orphanCount: 0, missingCount: 0 };
  const reasonOf = (error: unknown) => (error instanceof Refusal ? error.reason : error);

  async function aFilm(folder: string, profile?: string): Promise<number> {
    const input = { mediaType: 'video', fileName: 'film.mp4', folder };
    const id = await library.upload(viewer, 'a film', { ...input, ...(profile && { transcodingProfileId: profile }) });
    await library.work();
    expect(await rowOf(id)).toMatchObject({ transcodingStage: 'done' });
    return id;
  }
  async function aFile(folder: string, fileName: string, bytes: string): Promise<number> {
    const id = await library.upload(viewer, bytes, { fileName, folder });
    await library.work();
    return id;
  }

  it('changes the title at once, also while it is being processed', async () => {
    const id = await library.upload(viewer, 'a file', { fileName: 'notes.txt' });
    expect(await update(id, { title: ' New ' })).toMatchObject({ title: 'New', transcodingStage: 'queued' });
    await library.work();
    expect(await rowOf(id)).toMatchObject({ title: 'New', transcodingStage: 'done' });
  });

  it('moves all files of a film to another folder; links to the old ones stay valid', async () => {
    const id = await aFilm('drafts', ladder);
    const { storageKey } = await rowOf(id);
    await library.db.media.update({ where: { id }, data: { normalizedKey: storageKey } });
    const before = await library.everything();

    expect(await update(id, { folder: '/seasons/1/', title: 'Moved' })).toMatchObject({ folder: 'seasons/1' });
    await library.work();

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
    const after = await library.everything();
    for (const [key, bytes] of before) {
      expect(after.get(key.replace(`acme/drafts/${id}`, prefix))).toBe(bytes);
      expect(await read(key)).toBe(bytes);
    }
    expect(after.size).toBe(before.size);
    expect(await audited()).toEqual(nothing);
  });

  it('moves a film that was uploaded at the top of its tenant, too', async () => {
    const id = await aFilm('', ladder);
    const before = await library.everything();

    await update(id, { folder: 'seasons' });
    await library.work();

    expect(await rowOf(id)).toMatchObject({
      storageKey: `acme/seasons/${id}/source/film.mp4`,
      manifestKey: `acme/seasons/${id}/hls/master.m3u8`,
    });
    const after = await library.everything();
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
      await library.work();
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
    const late = await library.upload(viewer, 'of a third', { fileName: 'notes.txt', folder: 'there' });
    await library.work();

    const at = await Promise.all([resident, id, late].map(async (each) => (await rowOf(each)).storageKey));
    expect(at[0]).toBe('acme/there/notes.txt');
    expect(await Promise.all(at.map(read))).toEqual(['of the resident', 'of the newcomer', 'of a third']);
    expect(new Set(at).size).toBe(3);
  });

  it('names only stored files, wherever the process is killed, and ends without leftovers', async () => {
    for (const changes of kills) {
      await library.clear();
      const id = await aFilm('drafts', ladder);
      const before = await library.everything();
      await update(id, { folder: 'final' });
      await library.workAndBreak(changes);

      const { storageKey, thumbnailKey, manifestKey, smilKey } = await rowOf(id);
      const there = await keys();
      for (const key of [storageKey, thumbnailKey, manifestKey, smilKey]) expect(there).toContain(key);
      for (const [key, bytes] of before) expect(await read(key)).toBe(bytes);

      await library.work();
      expect(await rowOf(id)).toMatchObject({ transcodingStage: 'done', run: 2 });
      expect(await keys()).toEqual([...before.keys()].map((key) => key.replace('drafts', 'final')).toSorted());
      expect(await audited()).toEqual(nothing);
    }
  });

  it('lets one of two concurrent moves win', async () => {
    const id = await aFile('a', 'notes.txt', 'mine');
    const moves = await Promise.allSettled(['b', 'c', 'd', 'e'].map((folder) => update(id, { folder })));
    await library.work();

    const refused = moves.flatMap((move) => (move.status === 'rejected' ? [reasonOf(move.reason)] : []));
    expect(refused).toEqual(['PROCESSING_RUNS', 'PROCESSING_RUNS', 'PROCESSING_RUNS']);
    const { folder, storageKey } = await rowOf(id);
    expect(await keys()).toEqual([storageKey]);
    expect(storageKey).toBe(`acme/${folder}/notes.txt`);
  });

  it('leaves nothing when the item is deleted in the middle of a move', async () => {
    const id = await aFilm('drafts', ladder);
    await update(id, { folder: 'final' });
    await library.workAndBreak(3);
    await library.remove(viewer, id);
    await library.work();
    expect(await keys()).toEqual([]);
    expect(await library.db.movedObject.count()).toBe(0);
  });

  it('removes the copies of a move that is given up, and moves when it is told again', async () => {
    const id = await aFilm('drafts', ladder);
    const before = await keys();
    await update(id, { folder: 'final' });
    const { store } = library.needs;
    const { copy } = store;
    store.copy = async (from, to) => {
      if (from.endsWith('.smil')) throw new Error('the store is away');
      return copy(from, to);
    };
    await library.work();
    store.copy = copy;

    expect(await rowOf(id)).toMatchObject({
      transcodingStage: 'failed',
      storageKey: expect.stringContaining('drafts'),
    });
    expect(await keys()).toEqual(before);
    await update(id, { folder: 'final' });
    await library.work();
    expect(await keys()).toEqual(before.map((key) => key.replace('drafts', 'final')));
  });

  it('gives a ladder and a folder of its own to a film that was uploaded without a profile', async () => {
    const id = await aFilm('drafts');
    expect(await keys()).toEqual([`acme/drafts/.thumbnails/${id}.jpg`, 'acme/drafts/film.mp4']);

    await update(id, { transcodingProfileId: ladder });
    await library.work();

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
    const id = await aFilm('drafts', ladder);
    await update(id, { transcodingProfileId: other });
    expect((await rowOf(id)).manifestKey).not.toBeNull();
    await library.work();
    expect(await rowOf(id)).toMatchObject({ transcodingStage: 'done', transcodingProfileId: Number(other) });

    await update(id, { transcodingProfileId: passthrough });
    expect(await rowOf(id)).toMatchObject({ manifestKey: null, smilKey: null });
    await library.work();
    expect(await rowOf(id)).toMatchObject({ transcodingStage: 'done', manifestKey: null });
    expect(await keys()).toEqual([`acme/drafts/${id}/source/film.mp4`, `acme/drafts/${id}/thumbnail.jpg`]);
    expect(await audited()).toEqual(nothing);
  });

  it('keeps the failure of a failed item that moves', async () => {
    const id = await aFilm('drafts', ladder);
    await library.db.media.update({
      where: { id },
      data: { transcodingStage: 'failed', failureReason: 'There is no video in this file.' },
    });
    await update(id, { folder: 'final' });
    await library.work();
    expect(await rowOf(id)).toMatchObject({
      transcodingStage: 'failed',
      failureReason: 'There is no video in this file.',
      storageKey: `acme/final/${id}/source/film.mp4`,
    });
  });

  it('refuses a new place while the item is processed, or was never moved to its first one', async () => {
    const id = await library.upload(viewer, 'a file', { fileName: 'notes.txt' });
    await expect(update(id, { folder: 'b' }).catch(reasonOf)).resolves.toBe('PROCESSING_RUNS');
    await library.db.media.update({
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
    const asked = updateMedia(library.as(memberOf(2)), { id: String(id), input: { title: 'Mine now' } });
    await expect(asked.catch(reasonOf)).resolves.toBe('MEDIA_NOT_FOUND');
  });
});
