import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { memberOf, onDisk, openSmallLibrary, type SmallLibrary } from '../testing/library-fixture.ts';
import { playlistsIn } from '../testing/playlists-in.ts';
import { asStoreFailure } from '../storage/store-failure.ts';

const anna = memberOf(1);
const film = { mediaType: 'video', mimeType: 'video/mp4', fileName: 'film.mp4', transcodingProfileId: '1' };
const mp4 = { format: { format_name: 'mov,mp4', duration: '8' } };
/** More often than a step is attempted. */
const FAILURES = 15;

/** The store refuses this many writes of this kind, with this error. */
const fault = { left: 0, code: '', write: 'put' };
/** What the rows looked like at each refused write. */
const seen: string[] = [];

let library: SmallLibrary;
beforeAll(async () => {
  library = await openSmallLibrary(async (folder) => {
    const store = await onDisk(folder);
    const refusing =
      <Given extends unknown[], Answer>(name: string, write: (...given: Given) => Promise<Answer>) =>
      async (...given: Given): Promise<Answer> => {
        if (fault.left <= 0 || fault.write !== name) return write(...given);
        fault.left--;
        const { status, transcodingStage } = await library.db.media.findFirstOrThrow();
        seen.push(`${status} ${transcodingStage}`);
        throw asStoreFailure(Object.assign(new Error(fault.code), { code: fault.code }));
      };
    const { put, putFile, move } = store;
    return {
      ...store,
      put: refusing('put', put),
      putFile: refusing('putFile', putFile),
      move: refusing('move', move),
    };
  });
});
afterAll(() => library.close());
beforeEach(async () => {
  await library.clear();
  seen.splice(0);
});

describe('processing while the store can not be used', () => {
  it.each([
    ['move', 'ENOSPC', 'processing queued'],
    ['move', 'ECONNREFUSED', 'processing queued'],
    ['putFile', 'EROFS', 'ready probe'],
  ])('waits in its stage and continues, however long it takes: %s, %s', async (write, code, stage) => {
    const id = await library.upload(anna, 'film', film);
    Object.assign(fault, { left: FAILURES, code, write });
    await library.work();

    expect(fault.left).toBe(0);
    expect(new Set(seen)).toEqual(new Set([stage]));
    expect(await library.db.media.findUnique({ where: { id } })).toMatchObject({
      status: 'ready',
      transcodingStage: 'done',
      failureReason: null,
      tries: 0,
    });
  });

  it('never counts as a file that can not be normalized, in the last attempt neither', async () => {
    const { transcoder } = library.needs;
    const { probe } = transcoder;
    transcoder.probe = async (...given) => Object.assign((await probe(...given)) as object, mp4);
    const id = await library.upload(anna, '....ftypisom and a film', film);
    Object.assign(fault, { left: FAILURES, code: 'ECONNREFUSED', write: 'putFile' });
    await library.work();
    transcoder.probe = probe;

    expect(fault.left).toBe(0);
    expect(new Set(seen)).toEqual(new Set(['ready queued']));
    const media = await library.db.media.findUnique({ where: { id } });
    expect(media).toMatchObject({ transcodingStage: 'done', normalizationOutcome: 'applied' });
  });

  it('waits in the middle of a ladder, in its stage', async () => {
    const id = await library.upload(anna, 'film', film);
    const { store } = library;
    const { put } = store;
    // The master playlist comes last: everything before it is published.
    store.put = async (key, bytes) => {
      if (key.endsWith('master.m3u8') && seen.length === 0)
        Object.assign(fault, { left: FAILURES, code: 'ENOSPC', write: 'put' });
      return put(key, bytes);
    };
    await library.work();
    store.put = put;

    expect(new Set(seen)).toEqual(new Set(['ready package']));
    const media = await library.db.media.findUnique({ where: { id } });
    expect(media).toMatchObject({ transcodingStage: 'done', manifestKey: expect.any(String) });
  });

  const box = (type: string, stated: number, bytes = stated) => {
    const made = Buffer.alloc(bytes);
    made.writeUInt32BE(stated);
    made.write(type, 4, 'latin1');
    return made;
  };
  it.each<[string, string, Buffer]>([
    ['a playlist is empty', 'index.m3u8', Buffer.alloc(0)],
    ['a playlist has no end', 'index.m3u8', Buffer.from('#EXTM3U\n#EXTINF:4.0,\nseg_00000.m4s\n')],
    ['a segment is empty', 'seg_00000.m4s', Buffer.alloc(0)],
    ['a segment ends within a box', 'seg_00000.m4s', Buffer.concat([box('moof', 16), box('mdat', 5_000, 900)])],
    ['a segment ends within the header of a box', 'seg_00000.m4s', Buffer.concat([box('moof', 16), Buffer.alloc(5)])],
  ])('waits although ffmpeg succeeds, when a full disk has cut short what it made: %s', async (_, name, bytes) => {
    const { transcoder } = library.needs;
    const { convert } = transcoder;
    let left = FAILURES;
    transcoder.convert = async (conversion, options) => {
      const said = await convert(conversion, options);
      const [playlist] = playlistsIn(conversion.after);
      if (playlist && left-- > 0) await writeFile(join(dirname(playlist), name), bytes);
      return said;
    };
    const id = await library.upload(anna, 'film', film);
    await library.work();
    transcoder.convert = convert;

    expect(left).toBeLessThan(0);
    expect(await library.db.media.findUnique({ where: { id } })).toMatchObject({
      transcodingStage: 'done',
      failureReason: null,
      manifestKey: expect.any(String),
    });
  });

  it('waits, and its process goes on, when a full disk has cut short the picture and a sound', async () => {
    const { transcoder } = library.needs;
    const { probe, convert } = transcoder;
    const sound = (index: number) => ({ index, codec_type: 'audio', codec_name: 'aac', channels: 2, duration: '8' });
    transcoder.probe = async (...given) => {
      const probed = (await probe(...given)) as { streams: object[] };
      return { ...probed, streams: [...probed.streams, sound(1), sound(2)] };
    };
    let left = FAILURES;
    transcoder.convert = async (conversion, options) => {
      const said = await convert(conversion, options);
      const playlists = playlistsIn(conversion.after);
      if (playlists.length > 0 && left-- > 0) await Promise.all(playlists.map((playlist) => writeFile(playlist, '')));
      return said;
    };
    const id = await library.upload(anna, 'film', film);
    await library.work();
    Object.assign(transcoder, { probe, convert });

    expect(left).toBeLessThan(0);
    const media = await library.db.media.findUnique({ where: { id } });
    expect(media).toMatchObject({ transcodingStage: 'done', manifestKey: expect.any(String) });
  });
});
