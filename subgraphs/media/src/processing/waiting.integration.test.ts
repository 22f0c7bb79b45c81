import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { memberOf, onDisk, openSmallLibrary, type SmallLibrary } from '../testing/library-fixture.ts';
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
});
