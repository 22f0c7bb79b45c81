import { expect } from 'vitest';

import { ask } from '../../support/fixtures/storefront.ts';
import { fieldsOf } from '../framework/per-server.ts';
import { deviates, holds, shownBy, type Rows } from '../framework/row.ts';
import { text, timestamp } from '../framework/shapes.ts';
import { asOperator } from './node.ts';
import {
  anImage,
  asset,
  at,
  aText,
  aVideo,
  passedThrough,
  prepare,
  processed,
  profiles,
  studio,
  token,
  withLadder,
  withoutProfile,
  withThumbnail,
} from './studio.ts';

/** "Processing after upload, in order". */
export const processing: Rows = {
  'media-processing-1-move': holds(async (server) => {
    const { tenant } = await studio(server);
    const [own, flat] = [await withLadder(server), await withoutProfile(server)];
    expect([own.status, own.storageKey, flat.storageKey]).toEqual([
      'ready',
      `${tenant}/${own.input.folder}/${own.id}/source/clip.mp4`,
      `${tenant}/${flat.input.folder}/clip.mp4`,
    ]);
  }),

  'media-processing-2-normalize': shownBy(
    'test/media/loudness.test.ts',
    'ends within half a loudness unit of the target: %s',
  ),

  'media-processing-2-failure': shownBy(
    'test/media/processing.test.ts',
    'that is truncated fails with a reason, and is kept unchanged',
  ),

  ...fieldsOf(withLadder, {
    'media-processing-3-probe': (media) => {
      expect(media).toMatchObject({
        VideoCodec: expect.stringMatching(/^h264$/i),
        VideoProfile: text,
        PixelFormat: 'yuv420p',
        AudioCodec: expect.stringMatching(/^aac$/i),
      });
      expect(Math.abs(media.Duration - 3)).toBeLessThan(0.5);
    },
  }),

  'media-processing-4-thumbnail': holds(async (server) => {
    for (const key of [
      (await withoutProfile(server)).thumbnailKey,
      (await withThumbnail(server, (await processed(server, anImage())).id)).thumbnailKey,
    ])
      expect(await asset(server, key)).toMatchObject({ status: 200, type: 'image/jpeg' });
    expect(await processed(server, aText())).toMatchObject({
      status: 'ready',
      transcodingStage: 'done',
      thumbnailKey: null,
    });
  }, 'the moment of it, PDF and slides: subgraphs/media/src/processing/steps/make-thumbnail.test.ts, …/adapters/previews/previewer.integration.test.ts'),

  'media-processing-5-transcode': holds(async (server) => {
    const { manifestKey, smilKey, storageKey } = await withLadder(server);
    const prefix = String(storageKey).replace(/source\/[^/]+$/, '');
    expect(smilKey).toBe(`${prefix}smil/ladder.smil`);
    expect(manifestKey).toMatch(new RegExp(`^${prefix}hls/`));
    const master = (await asset(server, manifestKey)).text;
    const rungs = [...master.matchAll(/^(\d+)p\/(\S+)$/gm)];
    expect(rungs.length).toBeGreaterThan(0);
    for (const [, height, playlist] of rungs) {
      const rung = await asset(server, `${prefix}hls/${height}p/${playlist}`);
      expect(rung.text).toMatch(/#EXT-X-MAP:URI="[^"]+\.mp4"/);
      const [segment] = /^[^#\n]+\.m4s$/m.exec(rung.text) ?? [];
      expect((await asset(server, `${prefix}hls/${height}p/${segment}`)).status).toBe(200);
    }
  }),

  'media-processing-no-whitelist': holds(async (server) => {
    const media = await processed(server, {
      ...aText('thing.conf-unheard-of'),
      mediaType: 'other',
      mimeType: 'application/x-unheard-of',
    });
    expect(media).toMatchObject({ status: 'ready', mediaType: 'other', thumbnailKey: null });
  }),

  'media-processing-profile-ladder': holds(async (server) => {
    const media = await withLadder(server);
    expect(media).toMatchObject({ manifestKey: text, smilKey: text, transcodingStage: 'done' });
    expect(media.storageKey).toContain(`/${media.id}/source/`);
  }),

  'media-processing-profile-passthrough': holds(async (server) => {
    const media = await passedThrough(server);
    expect(media).toMatchObject({ manifestKey: null, smilKey: null, transcodingStage: 'done' });
    expect(media.storageKey).toContain(`/${media.id}/source/`);
  }),

  'media-processing-profile-omitted': holds(async (server) => {
    const media = await withoutProfile(server);
    expect(media).toMatchObject({ manifestKey: null, smilKey: null, transcodingProfileId: null });
    expect(media.storageKey).not.toContain(`/${media.id}/`);
  }),

  'media-processing-purge': deviates(
    '0048-derived-files',
    'only what is recorded of the item is removed: what somebody else has put under its prefix stays',
    async (server) => {
      const passthrough = (await profiles(server)).find(({ renditions }) => renditions.length === 0);
      for (const file of [await aVideo(passthrough.ID), anImage()]) {
        const { id } = await processed(server, file);
        const { storageKey, thumbnailKey } = await withThumbnail(server, id);
        expect((await at(server, 'DELETE', `/api/media/${id}`)).status).toBe(200);
        for (const key of [storageKey, thumbnailKey])
          expect([key, (await asset(server, key)).status]).toEqual([key, 404]);
        const prefix = storageKey.split('/').slice(0, 2).join('/');
        const { json } = await server.send('GET', `/api/media/storage-audit?prefix=${prefix}/`, {
          headers: await asOperator(server),
        });
        expect(json.data).toMatchObject({ objectCount: 0, missingCount: 0 });
      }
    },
  ),
};

/** "Consuming media keys". */
export const mediaKeys: Rows = {
  ...fieldsOf(withLadder, {
    'media-keys-storage-key': async ({ storageKey, normalizedKey }, server) => {
      expect(normalizedKey).toBe(storageKey);
      expect(await asset(server, storageKey)).toMatchObject({ status: 200, type: 'video/mp4' });
    },
    'media-keys-thumbnail-key': async ({ thumbnailKey }, server) =>
      expect(await asset(server, thumbnailKey)).toMatchObject({ status: 200, type: 'image/jpeg' }),
    'media-keys-manifest-key': async ({ manifestKey }, server) => {
      const { status, text: master } = await asset(server, manifestKey);
      expect([status, master]).toEqual([200, expect.stringMatching(/^#EXTM3U\n[^]*#EXT-X-STREAM-INF:/)]);
    },
    'media-keys-smil-key': async ({ smilKey }, server) => {
      const { status, text: ladder } = await asset(server, smilKey);
      expect([smilKey, status, ladder]).toEqual([
        expect.stringMatching(/\/ladder\.smil$/),
        200,
        expect.stringMatching(/<smil[^]*<video /),
      ]);
    },
    'media-keys-asset-urls': async ({ id, storageKey, assetUrl }, server) => {
      // The token in it differs from that of another answer, when the quarter of its lifetime has passed between.
      const { pathname } = new URL(assetUrl, server.url);
      expect(pathname.replace(/^\/assets\/~[^/]+/, '/assets')).toBe(`/assets/media/${storageKey}`);
      expect([pathname, (await server.send('GET', pathname)).status]).toEqual([pathname, 200]);
      const headers = await token(server);
      const query = 'query ($id: ID!) { media(id: $id) { shareUrl } }';
      const { shareUrl } = await ask(server, { headers }, query, { id: String(id) });
      // The host that CDN_HOST names, or else ours; a private item has no public link.
      if (server.mode === 'strict') expect(shareUrl).toBe('');
      else expect(shareUrl.endsWith(`/${storageKey}`)).toBe(true);
    },
  }),
};

/** "Limits". */
export const mediaLimits: Rows = {
  'media-limits-upload-token-lifetime': holds(async (server) => {
    const before = Date.now();
    const { expiresAt } = await prepare(server, aText());
    expect(expiresAt).toEqual(timestamp);
    const [least, most] = [before, Date.now()].map((moment) => moment + 10 * 60_000);
    expect(Date.parse(expiresAt)).toBeGreaterThanOrEqual((least ?? 0) - 5_000);
    expect(Date.parse(expiresAt)).toBeLessThanOrEqual((most ?? 0) + 5_000);
  }),

  'media-limits-trimming': shownBy(
    'test/media/loudness.test.ts',
    'is cut with the sound when one is more than 0.3 seconds longer, and the rest stays identical',
  ),

  'media-limits-default-loudness-target': shownBy(
    'test/media/loudness.test.ts',
    'ends within half a loudness unit of the target: %s',
  ),

  'media-limits-streamer-ping-timeout': shownBy(
    'test/media/nodes.test.ts',
    'is online when it answers a ping, and offline when it does not within five seconds',
  ),

  'media-limits-storage-audit-sample': shownBy(
    'test/media/library.test.ts',
    'shows at most a hundred of each, counts all, and says when the store is larger than the limit',
  ),
};
