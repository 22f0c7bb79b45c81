import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { retryMedia } from '../processing/retry-media.ts';
import { memberOf, onDisk, openSmallLibrary, type SmallLibrary } from '../testing/library-fixture.ts';
import { auditStorage } from './audit-storage.ts';

const anna = memberOf(1);
const film = { mediaType: 'video', mimeType: 'video/mp4', fileName: 'film.mp4', transcodingProfileId: '1' };

let library: SmallLibrary;
beforeAll(async () => {
  library = await openSmallLibrary(onDisk);
});
afterAll(() => library.close());
beforeEach(() => library.clear());

const orphans = async () => (await auditStorage(library.as(anna), { limit: 1000 })).orphanCount;

/** Uploads a film whose first step fails for good. @returns the id of the media item */
async function failedFilm(stop: 'move' | 'stat'): Promise<number> {
  const id = await library.upload(anna, 'the only copy', film);
  const { store } = library;
  const kept = { move: store.move, stat: store.stat };
  if (stop === 'move') store.move = () => Promise.reject(new Error('broken'));
  else store.stat = async () => null; // such as an object that a listing shows later
  await library.work();
  Object.assign(store, kept);
  expect(await library.db.media.findUnique({ where: { id } })).toMatchObject({ status: 'failed' });
  return id;
}

describe('the storage audit', () => {
  it('does not miss a file whose move failed, as long as it is where it was uploaded', async () => {
    const id = await failedFilm('move');
    const missing = async () => (await auditStorage(library.as(anna), { limit: 1000 })).missing;
    expect(await missing()).toEqual([]);

    await library.store.removeAll((await Array.fromAsync(library.store.list('uploads/'))).map(({ key }) => key));
    expect(await missing()).toMatchObject([{ mediaId: String(id) }]);
  });

  it.each(['move', 'stat'] as const)('never calls the only copy of a failed item an orphan: %s', async (stop) => {
    const id = await failedFilm(stop);
    expect(await orphans()).toBe(0);

    await retryMedia(library.needs, id);
    await library.work();
    expect(await library.db.media.findUnique({ where: { id } })).toMatchObject({ status: 'ready' });
    expect(await orphans()).toBe(0);
  });

  it('knows that copy also when no object of the item is recorded', async () => {
    const id = await failedFilm('move');
    await library.db.storedObject.deleteMany({ where: { mediaId: id } });
    expect(await orphans()).toBe(0);

    await library.db.media.update({ where: { id }, data: { status: 'ready' } });
    expect(await orphans()).toBe(1); // what is left of an upload that was moved
  });

  it('reveals no upload to who guesses how its id, which is a secret, begins', async () => {
    await library.store.put('uploads/secret', Buffer.from('x'));
    const found = async (prefix: string) => (await auditStorage(library.as(anna), { limit: 1000, prefix })).objectCount;

    expect(await found('uploads/')).toBeGreaterThan(0);
    for (const prefix of ['uploads/s', 'uploads/secret']) expect([prefix, await found(prefix)]).toEqual([prefix, 0]);
  });

  it('calls what belongs to nobody an orphan', async () => {
    await failedFilm('move');
    await library.store.put('uploads/stranger', Buffer.from('x'));
    await library.store.put('acme/stranger', Buffer.from('x'));
    expect(await orphans()).toBe(2);
  });
});
