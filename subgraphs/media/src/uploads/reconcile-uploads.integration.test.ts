import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { memberOf, onDisk, openSmallLibrary, type SmallLibrary } from '../testing/library-fixture.ts';
import { beginUpload } from './begin-upload.ts';
import { noteFinished } from './finish-upload.ts';
import { reconcileUploads } from './reconcile-uploads.ts';

let library: SmallLibrary;
beforeAll(async () => {
  library = await openSmallLibrary(onDisk);
  await library.db.$executeRaw`ALTER TABLE media.media ADD CONSTRAINT broken CHECK (upload_id NOT LIKE '%broken')`;
});
beforeEach(() => library.clear());
afterAll(() => library.close());

const inAMinute = () => ({ ...library.needs, clock: { now: () => new Date(Date.now() + 60_000) } });

/** An upload whose bytes have all arrived, and which nobody has completed. */
async function arrived(id: string, organization = 1): Promise<void> {
  const uploadToken = await library.prepare(memberOf(organization), {
    tenant: `t${organization}`,
    fileSize: 5,
    fileName: id,
  });
  await beginUpload(library.needs, { id, size: 5, metadata: { uploadToken } });
  await library.store.put(`uploads/${id}`, Buffer.from('hello'));
}

describe('an upload that can not be completed', () => {
  it.each([
    ['its end was lost', async () => undefined],
    ['its end was noted', (id: string) => noteFinished(library.needs, { id, size: 5 })],
  ])('does not stop those behind it, when %s', async (how, note) => {
    const [broken, whole] = [`1, ${how}, broken`, `2, ${how}`];
    for (const id of [broken, whole]) {
      await arrived(id);
      await note(id);
    }
    expect(await reconcileUploads(inAMinute())).toBe(1);

    expect(await library.db.media.findMany({ select: { uploadId: true } })).toEqual([{ uploadId: whole }]);
    expect(await library.db.upload.findUnique({ where: { id: broken } })).toMatchObject({ state: 'finished' });
  });
});

it('many open uploads of one organization do not make the upload of another wait, when there is no time for all', async () => {
  for (const id of ['a0', 'a1', 'a2', 'a3', 'a4']) {
    await arrived(id);
    await library.store.put(`uploads/${id}`, Buffer.from('hel'));
  }
  await arrived('z', 2);
  const time = new AbortController();
  const { uploads } = library.needs;
  const { received } = uploads;
  const looked: string[] = [];
  uploads.received = async (id) => {
    if (looked.push(id) === 2) time.abort(); // one upload of each
    return received(id);
  };
  expect(await reconcileUploads(inAMinute(), time.signal)).toBe(1);
  uploads.received = received;

  expect(await library.db.upload.findUnique({ where: { id: 'z' } })).toMatchObject({ state: 'completed' });
});
