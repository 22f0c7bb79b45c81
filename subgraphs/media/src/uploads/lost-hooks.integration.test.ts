import { randomUUID } from 'node:crypto';

import { describeStores, s3Variables } from '@foyer/shared/testing/s3';
import { afterAll, beforeAll, expect, it } from 'vitest';

import type { Context } from '../context.ts';
import { openScratchMedia, type ScratchMedia } from '../testing/scratch-media.ts';
import { handleHook } from './hooks/handle-hook.ts';
import { reconcileUploads } from './reconcile-uploads.ts';

const places = [
  { where: 'a disk', env: {} },
  { where: 'an S3 server', isS3: true, env: { ...s3Variables, S3_BUCKET: `hooks-${randomUUID()}` } },
];

describeStores('an upload of tusd whose last hook was lost, on', places, ({ env }) => {
  let server: ScratchMedia;
  let needs: Context;
  beforeAll(async () => {
    server = await openScratchMedia(env, { works: false });
    needs = server.media.contextFor({} as never) as Context;
  });
  afterAll(() => server.stop());

  const described = { title: 'Notes', mediaType: 'text', mimeType: 'text/plain', originalName: 'n', fileSize: 5 };
  const inAMinute = () => ({ ...needs, clock: { now: () => new Date(Date.now() + 60_000) } });
  const itemsOf = (id: string) => server.db.media.count({ where: { uploadId: id } });

  /** tusd has created it, and reported that. */
  async function created(id: string, size: number | undefined): Promise<string> {
    const token = await server.prepare({ ...described, fileName: `${id}.txt` });
    const key = `uploads/${id}`;
    await handleHook(needs, { type: 'post-create', upload: { id, size, isPartial: false, token, key } });
    return key;
  }

  it.each([
    ['stated', 5],
    ['deferred', undefined],
  ])('becomes a media item, once, when its length was %s', async (how, size) => {
    const key = await created(`lost-${how}`, size);
    expect(await reconcileUploads(inAMinute())).toBe(0); // nothing is stored yet
    await needs.store.put(key, Buffer.from('hello'));
    expect(await reconcileUploads(needs)).toBe(0); // its hook may still come

    expect(await reconcileUploads(inAMinute())).toBe(1);
    expect(await reconcileUploads(inAMinute())).toBe(0);
    expect(await itemsOf(`lost-${how}`)).toBe(1);
  });

  it('is left alone while some of it is missing', async () => {
    const key = await created('half', 5);
    await needs.store.put(key, Buffer.from('he'));

    expect(await reconcileUploads(inAMinute())).toBe(0);
    expect(await server.db.upload.findUnique({ where: { id: 'half' } })).toMatchObject({
      state: 'receiving',
      size: 5n,
    });
  });
});
