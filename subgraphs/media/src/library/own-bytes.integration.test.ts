import type { Viewer } from '@foyer/shared/auth/viewer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { retryMedia } from '../processing/retry-media.ts';
import { putEarlier } from '../testing/earlier-layout.ts';
import { handleHook } from '../uploads/hooks/handle-hook.ts';
import { memberOf, onDisk, openSmallLibrary, type SmallLibrary } from '../testing/library-fixture.ts';

const anna = memberOf(1);
const stranger: Viewer = { kind: 'legacy-client', permissions: ['media:upload'] };
const ladder = { mediaType: 'video', mimeType: 'video/mp4', fileName: 'film.mp4', transcodingProfileId: '1' };
/** How many objects a film has: itself, its preview, the playlist, the SMIL and one rung of three files. */
const WHOLE = 7;

describe('one media item and the bytes of another', () => {
  let library: SmallLibrary;
  beforeAll(async () => {
    library = await openSmallLibrary(onDisk);
  });
  afterAll(() => library.close());

  const keysOf = async (id: number) => {
    const row = await library.db.media.findUniqueOrThrow({ where: { id } });
    expect(row).toMatchObject({ transcodingStage: 'done', failureReason: null });
    return row;
  };

  it('deletes a film but not the ladder of another in a folder named like its id', async () => {
    const film = await library.upload(anna, 'the film', { ...ladder, tenant: 'one', folder: 'seasons' });
    await library.work();
    const other = await library.upload(anna, 'another', { ...ladder, tenant: 'one', folder: `seasons/${film}` });
    const hls = await library.upload(anna, 'third', {
      tenant: 'one',
      folder: `seasons/${film}/hls`,
      fileName: 'master.m3u8',
    });
    await library.work();
    await keysOf(hls);
    const { storageKey } = await keysOf(film);
    expect(storageKey).toBe(`one/seasons/${film}/source/film.mp4`);
    const before = await library.everything();

    await library.remove(anna, film);
    await library.work();
    const after = await library.everything();
    const lost = [...before.keys()].filter((key) => !after.has(key));
    expect(lost.every((key) => key.startsWith(`one/seasons/${film}/`))).toBe(true);
    expect(lost).toHaveLength(WHOLE);
    expect((await keysOf(other)).manifestKey).toSatisfy((key: string) => after.has(key));
    expect([...after].filter(([key]) => key.includes(`/${other}/`))).toHaveLength(WHOLE);
  });

  it('processes a film whose id is the name of a file of another item', async () => {
    const first = await library.upload(anna, 'a', { tenant: 'two', folder: 'seasons', fileName: 'a' });
    const blocker = await library.upload(stranger, 'in the way', {
      tenant: 'two',
      folder: 'seasons',
      fileName: String(first + 2),
    });
    await library.work();
    const film = await library.upload(anna, 'the film', { ...ladder, tenant: 'two', folder: 'seasons' });
    await library.work();

    expect(film).toBe(first + 2);
    expect((await keysOf(film)).storageKey).toBe(`two/seasons/${film}/source/film.mp4`);
    const all = await library.everything();
    expect(all.get((await keysOf(blocker)).storageKey)).toBe('in the way');
  });

  it('never adopts the bytes of another item, whatever key an upload server reports', async () => {
    const victim = await library.upload(anna, 'mine', { tenant: 'three', fileName: 'mine' });
    await library.work();
    const { storageKey } = await keysOf(victim);
    const upload = { id: 'thief', size: 4, isPartial: false, key: storageKey };
    const token = await library.prepare(anna, { tenant: 'three', fileName: 'thief', fileSize: 4 });
    await handleHook(library.needs, { type: 'post-create', upload: { ...upload, token } });
    await handleHook(library.needs, { type: 'post-finish', upload: { ...upload, token } });
    await library.work();

    expect((await library.everything()).get(storageKey)).toBe('mine');
    expect(await library.db.upload.findUnique({ where: { id: 'thief' } })).toMatchObject({ state: 'rejected' });
  });

  it('gives two concurrent files of one name a key each', async () => {
    const names = { tenant: 'four', fileName: 'same' };
    const ids = await Promise.all(['a', 'b', 'c'].map((bytes) => library.upload(anna, bytes, names)));
    await Promise.all(ids.map(() => library.work()));

    const all = await library.everything();
    const rows = await Promise.all(ids.map(keysOf));
    expect(rows.map((row) => all.get(row.storageKey))).toEqual(['a', 'b', 'c']);
    expect(rows.map((row) => row.storageKey)).toContain('four/same');
  });

  it('publishes no ladder over files from an earlier version', async () => {
    const last = await library.upload(anna, 'x', { tenant: 'five' });
    const place = { tenant: 'five', folder: `seasons/${last + 2}/hls/360p`, fileName: 'seg_00000.m4s' };
    const old = (await putEarlier(library, { ...place, film: false })) ?? 0;
    const film = await library.upload(anna, 'the film', { ...ladder, tenant: 'five', folder: 'seasons' });
    expect(film).toBe(last + 2);
    await library.work();
    const key = `five/seasons/${film}/hls/360p/seg_00000.m4s`;
    expect((await library.everything()).get(key)).toBe(`${old} has ${key}`);

    await library.migrateAndBreak(Infinity);
    await retryMedia(library.needs, film);
    await library.work();
    const all = await library.everything();
    expect(all.get((await keysOf(film)).manifestKey ?? '')).toContain('#EXTM3U');
    expect(all.get((await keysOf(old)).storageKey)).toBe(`${old} has ${key}`);
  });
});
