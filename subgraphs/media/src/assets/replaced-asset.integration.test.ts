import { describeStores } from '@foyer/shared/testing/s3';
import { answerErrors } from '@foyer/shared/http/error-body';
import Fastify from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';

import type { ObjectStore } from '#ports/object-store.ts';
import { onDisk, onS3, openSmallLibrary, type SmallLibrary } from '../testing/library-fixture.ts';
import { assetRoutes } from './routes.ts';

const places = [
  { where: 'a disk', openStore: onDisk },
  { where: 'an S3 server', isS3: true, openStore: onS3 },
];
const EARLIER = 'the earlier version';

describeStores('an asset that is replaced between its headers and its bytes, on', places, ({ openStore }) => {
  let library: SmallLibrary;
  /** Replaces an object that is open, once each. */
  const replacements: string[] = [];
  const app = Fastify();
  beforeAll(async () => {
    library = await openSmallLibrary(openStore);
    const { store } = library;
    const replacing: Pick<ObjectStore, 'open'> = {
      open: async (key) => {
        const object = await store.open(key);
        const content = replacements.shift();
        if (content !== undefined) await store.put(key, Buffer.from(content));
        return object;
      },
    };
    const rules = { bucket: 'media', linkSecrets: ['secret'] as const, presignSeconds: 300, hiddenPrefix: 'uploads/' };
    const needs = { ...library.needs, ...rules, store: { ...store, ...replacing } };
    answerErrors(app, library.needs.log);
    await app.register(assetRoutes({ ...needs, accessOf: async () => 'everybody', firstByteMs: null }));
  });
  afterAll(async () => {
    await app.close();
    await library.close();
  });

  /** What an answer shows of one version. */
  const answerWith = (version: string, etag: string | undefined, range: string | undefined) => {
    if (!range) return [200, `"${etag}"`, undefined, true, version];
    if (version === '') return [416, `"${etag}"`, 'bytes */0', true, 'none'];
    return [206, `"${etag}"`, `bytes 4-${version.length - 1}/${version.length}`, true, version.slice(4)];
  };

  it.each<[string, { range?: string }]>([
    ['longer', {}],
    ['longer', { range: 'bytes=4-' }],
    ['short', {}],
    ['short', { range: 'bytes=4-' }],
    ['', { range: 'bytes=4-' }],
  ])('is one version throughout: "%s", %j', async (ending, headers) => {
    const later = ending === 'longer' ? `${EARLIER}, and longer` : ending;
    const earlier = await library.store.put('film', Buffer.from(EARLIER));
    replacements.push(later);
    const { statusCode, headers: sent, body } = await app.inject({ url: '/assets/media/film', headers });
    const stored = await library.store.stat('film');

    const part = statusCode === 416 ? 'none' : body;
    expect([
      answerWith(EARLIER, earlier.etag, headers.range),
      answerWith(later, stored?.etag, headers.range),
    ]).toContainEqual([
      statusCode,
      sent.etag,
      sent['content-range'],
      sent['content-length'] === String(body.length),
      part,
    ]);
  });
});
