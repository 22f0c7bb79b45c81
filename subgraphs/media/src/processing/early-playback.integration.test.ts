import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { parse, type types } from 'hls-parser';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { CannotRead, type Transcoder } from '#ports/transcoder.ts';
import { auditStorage } from '../library/audit-storage.ts';
import { memberOf, onDisk, openSmallLibrary, type SmallLibrary } from '../testing/library-fixture.ts';
import { playlistsIn } from '../testing/playlists-in.ts';
import { asStoreFailure } from '../storage/store-failure.ts';
import { resumeProcessing } from './resume-processing.ts';
import { retryMedia } from './retry-media.ts';

const viewer = memberOf(1);
const SEGMENTS = 6;

let library: SmallLibrary;
let instant: Transcoder['convert'];

beforeAll(async () => {
  library = await openSmallLibrary(onDisk);
  instant = library.needs.transcoder.convert;
});
afterAll(() => library.close());
beforeEach(() => library.clear());

/**
 * Makes ladders in this way: the lowest rung segment by segment, each of four seconds, until `pauseAt` are there. Then it
 * waits, and returns or fails as it is told.
 */
function ladderThatWaits(pauseAt: number) {
  const { promise: end, resolve, reject } = Promise.withResolvers<void>();
  const runs = { count: 0 };
  library.needs.transcoder.convert = async (conversion, options) => {
    const playlists = playlistsIn(conversion.after);
    if (playlists.length === 0) return instant(conversion, options);
    const run = ++runs.count;
    const write = async (count: number, isComplete: boolean) => {
      for (const playlist of playlists) {
        const folder = dirname(playlist);
        await mkdir(folder, { recursive: true });
        await writeFile(join(folder, 'init.mp4'), `init ${run}`);
        const names = Array.from({ length: count }, (_, at) => `seg_${at}.m4s`);
        const fresh = isComplete ? names.slice(pauseAt) : names; // published ones are no longer there
        for (const name of playlist === playlists.at(-1) ? fresh : names)
          await writeFile(join(folder, name), `segment ${name} of run ${run}`);
        const lines = names.map((name) => `#EXTINF:4.0,\n${name}\n`).join('');
        await writeFile(playlist, `#EXTM3U\n${lines}${isComplete ? '#EXT-X-ENDLIST\n' : ''}`);
      }
      options.onSeconds?.(count * 4);
    };
    await write(pauseAt, false);
    await end;
    await write(SEGMENTS, true);
    return '';
  };
  return { go: resolve, fail: reject, runs };
}

const aFilm = () =>
  library.upload(viewer, 'film', { mediaType: 'video', fileName: 'film.mp4', folder: 'f', transcodingProfileId: '1' });
const rowOf = (id: number) => library.db.media.findUniqueOrThrow({ where: { id } });
const playableEarly = (id: number) =>
  vi.waitUntil(async () => (await rowOf(id)).earlyPlaylistKey, { timeout: 10_000, interval: 20 });

/** What a playlist names, with the bytes of each. */
async function namedBy(key: string) {
  const objects = await library.everything();
  const text = objects.get(key) ?? '';
  const playlist = parse(text) as types.MediaPlaylist;
  const uris = [playlist.segments[0]?.map?.uri ?? '', ...playlist.segments.map(({ uri }) => uri)];
  return { text, playlist, files: uris.map((uri) => [uri, objects.get(`${dirname(key)}/${uri}`)] as const) };
}

const ladderKeys = async () => [...(await library.everything()).keys()].filter((key) => /\/(hls|smil)\//.test(key));
const audit = () => auditStorage(library.as(viewer), { limit: 1000 });

describe('a film whose ladder is being made', { timeout: 30_000 }, () => {
  it('can be played before that ends, and under the same names after it', async () => {
    const ladder = ladderThatWaits(4);
    const id = await aFilm();
    const working = library.work();
    const key = await playableEarly(id);
    const early = await namedBy(key);

    expect(await rowOf(id)).toMatchObject({ manifestKey: null, smilKey: null, transcodingStage: 'transcode' });
    expect(early.playlist).toMatchObject({ endlist: false, playlistType: 'EVENT', targetDuration: 5 });
    expect(early.files.map(([, bytes]) => bytes)).toEqual([
      'init 1',
      ...[0, 1, 2, 3].map((at) => `segment seg_${at}.m4s of run 1`),
    ]);
    expect(await audit()).toMatchObject({ orphanCount: 0, missingCount: 0 });

    ladder.go();
    await working;
    const media = await rowOf(id);
    const whole = await namedBy(key);
    expect(media).toMatchObject({ transcodingStage: 'done', earlyPlaylistKey: null, manifestKey: expect.any(String) });
    expect(whole.text.startsWith(early.text)).toBe(true);
    expect(whole.playlist.endlist).toBe(true);
    expect(whole.files.slice(0, 5)).toEqual(early.files);
    expect(whole.files).toHaveLength(1 + SEGMENTS);
    const rung = await namedBy(`${dirname(key)}/index.m3u8`);
    expect(rung.files).toEqual(whole.files);
    expect(rung.playlist).toMatchObject({ endlist: true, playlistType: 'VOD', targetDuration: 4 });
    expect(await audit()).toMatchObject({ orphanCount: 0, missingCount: 0 });
  });

  it('can not be played before there is enough for players to begin', async () => {
    const { store } = library.needs;
    const stored = vi.spyOn(store, 'put');
    const ladder = ladderThatWaits(3);
    const id = await aFilm();
    const working = library.work();
    await vi.waitUntil(async () => (await ladderKeys()).filter((key) => key.endsWith('.m4s')).length === 3);
    ladder.fail(new CannotRead('it is damaged'));
    await working;

    expect(stored.mock.calls.map(([key]) => key).filter((key) => key.endsWith('.m3u8'))).toEqual([]);
    expect(await rowOf(id)).toMatchObject({ transcodingStage: 'failed' });
    stored.mockRestore();
  });

  it('leaves nothing when it fails after all', async () => {
    const ladder = ladderThatWaits(4);
    const id = await aFilm();
    const working = library.work();
    await playableEarly(id);
    ladder.fail(new CannotRead('it is damaged'));
    await working;

    expect(await rowOf(id)).toMatchObject({ transcodingStage: 'failed', earlyPlaylistKey: null, manifestKey: null });
    expect(await ladderKeys()).toEqual([]);
  });

  it('leaves nothing when it is deleted meanwhile', async () => {
    const ladder = ladderThatWaits(4);
    const id = await aFilm();
    const working = library.work();
    await playableEarly(id);
    await library.remove(viewer, id);
    ladder.go();
    await working;

    expect([...(await library.everything()).keys()]).toEqual([]);
  });

  it('is made under other names by the next attempt, after a process that died', async () => {
    const stuck = ladderThatWaits(4);
    const id = await aFilm();
    const first = library.work();
    const dead = await namedBy(await playableEarly(id));
    await library.db.media.update({ where: { id }, data: { attemptSeenAt: new Date(0) } });

    const next = ladderThatWaits(5);
    await resumeProcessing(library.needs);
    const second = library.work();
    await vi.waitUntil(async () => next.runs.count === 1);
    await vi.waitUntil(async () => (await rowOf(id)).earlyPlaylistKey !== null);
    next.go();
    await second;
    const names = new Set(dead.files.map(([name]) => name));
    const media = await rowOf(id);
    expect(media).toMatchObject({ transcodingStage: 'done', earlyPlaylistKey: null });
    const keys = await ladderKeys();
    expect(keys.filter((key) => names.has(key.split('/').at(-1) ?? ''))).toEqual([]);

    stuck.go(); // the one that only seemed dead writes nothing more
    await first;
    expect((await ladderKeys()).toSorted()).toEqual(keys.toSorted());
    expect(await rowOf(id)).toEqual(media);
    expect(await audit()).toMatchObject({ orphanCount: 0, missingCount: 0 });
  });

  it('that has a ladder already stays playable as it is while another one is made', async () => {
    const id = await aFilm();
    library.needs.transcoder.convert = instant;
    await library.work();
    const { manifestKey } = await rowOf(id);
    const rung = `${dirname(manifestKey ?? '')}/360p/index.m3u8`;
    const before = await namedBy(rung);
    const ladder = ladderThatWaits(4);
    await retryMedia(library.needs, id);
    const working = library.work();
    await vi.waitUntil(() => ladder.runs.count === 1, { timeout: 10_000 });

    expect(await rowOf(id)).toMatchObject({ manifestKey, earlyPlaylistKey: null });
    expect(await namedBy(rung)).toEqual(before);
    ladder.go();
    await working;
    expect(await rowOf(id)).toMatchObject({ manifestKey, transcodingStage: 'done' });
    const names = new Set(before.files.map(([name]) => name));
    expect((await namedBy(rung)).files.filter(([name]) => names.has(name))).toEqual([]);
  });

  it.each([
    ['for the first time', false],
    ['again', true],
  ])('%s does not fill a store that is full, however often it waits', async (_, isAgain) => {
    const id = await aFilm();
    library.needs.transcoder.convert = instant;
    if (isAgain) await library.work().then(() => retryMedia(library.needs, id));
    const { store } = library.needs;
    const { putFile } = store;
    const there: number[] = [];
    const segmentKeys = async () => (await ladderKeys()).filter((key) => key.endsWith('.m4s'));
    const before = (await segmentKeys()).length;
    store.putFile = async (key, file) => {
      if (!/audio-1/.test(key) || there.length === 5) return putFile(key, file);
      there.push((await segmentKeys()).length - before);
      throw asStoreFailure(Object.assign(new Error('full'), { code: 'ENOSPC' }));
    };
    library.needs.transcoder.probe = async () => aFilmWithSound;
    await library.work();
    store.putFile = putFile;

    expect(there).toEqual([1, 1, 1, 1, 1]);
    expect(await rowOf(id)).toMatchObject({ transcodingStage: 'done', manifestKey: expect.any(String) });
    expect(await audit()).toMatchObject({ orphanCount: 0, missingCount: 0 });
  });
});

const aFilmWithSound = {
  streams: [
    {
      index: 0,
      codec_type: 'video',
      codec_name: 'h264',
      width: 640,
      height: 360,
      duration: '8',
      avg_frame_rate: '25/1',
    },
    { index: 1, codec_type: 'audio', codec_name: 'aac', channels: 2, duration: '8' },
  ],
  format: { duration: '8', format_name: 'mov,mp4' },
};
