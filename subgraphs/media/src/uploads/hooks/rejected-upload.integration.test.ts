import { afterAll, beforeAll, expect, it, vi } from 'vitest';

import { memberOf, onDisk, openSmallLibrary, type SmallLibrary } from '../../testing/library-fixture.ts';
import { handleHook } from './handle-hook.ts';

let library: SmallLibrary;
beforeAll(async () => {
  library = await openSmallLibrary(onDisk);
});
afterAll(() => library.close());

const file = { mediaType: 'text', mimeType: 'text/plain', originalName: 'n.txt', fileName: 'n.txt', fileSize: 5 };

it('an upload of tusd that has another size than the prepared one is warned of, and becomes no media item', async () => {
  const { needs, db } = library;
  const warn = vi.spyOn(needs.log, 'warn');
  for (const [id, text] of Object.entries({ longer: 'hello!', right: 'hello' })) {
    const token = await library.prepare(memberOf(1), { ...file, folder: id });
    const upload = { id, isPartial: false, token, key: `uploads/${id}` };
    await handleHook(needs, { type: 'post-create', upload: { ...upload, size: undefined } });
    await needs.store.put(upload.key, Buffer.from(text));
    await handleHook(needs, { type: 'post-finish', upload: { ...upload, size: text.length } });
  }

  expect(await db.media.findMany({ select: { uploadId: true } })).toEqual([{ uploadId: 'right' }]);
  expect(warn.mock.calls).toEqual([
    [{ uploadId: 'longer', reason: 'it has 6 bytes, prepared were 5' }, 'an upload at tusd was rejected'],
  ]);
});
