import { isDeepStrictEqual } from 'node:util';

import { expect } from 'vitest';

import { createUpload } from '../../support/tus.ts';
import { fieldsOf, perServer } from '../framework/per-server.ts';
import { holds, shownBy, type Rows } from '../framework/row.ts';
import { isCount, text, timestamp, truth } from '../framework/shapes.ts';
import { channel, channelOn, createChannel, registered } from './node.ts';
import {
  at,
  aText,
  mediaIn,
  passedThrough,
  prepare,
  preparing,
  processed,
  profiles,
  studio,
  upload,
  withLadder,
  withoutProfile,
} from './studio.ts';

/** "What the service does". */
export const service: Rows = {
  'media-service-1-media': holds(async (server) => {
    expect(await withLadder(server)).toMatchObject({
      status: 'ready',
      transcodingStage: 'done',
      thumbnailKey: text,
      manifestKey: text,
    });
  }),

  'media-service-2-channels': holds(async (server) => {
    const { read, nodes } = await channel(server);
    expect(read.origins.map(({ streamerId }: { streamerId: number }) => streamerId)).toEqual(nodes.map(({ id }) => id));
    const [one, other] = read.origins;
    expect(one.ingestUrl).not.toBe(other.ingestUrl);
    expect(one.playbackUrl).not.toBe(other.playbackUrl);
  }),

  'media-service-4-assets': shownBy(
    'test/media/uploads.test.ts',
    'has the address of UPLOAD_URL, and files that of ASSET_BASE_URL',
    'the addresses of files are those of the cache proxy where ASSET_BASE_URL and CDN_HOST name one',
  ),
};

/** "Media", "Upload token". */
export const mediaFields: Rows = {
  'media-media-prepared-fields': holds(async (server) => {
    const { input, ...media } = await passedThrough(server);
    expect(media).toMatchObject(preparing((await studio(server)).tenant, input)); // its size too, though it was remuxed
    const { fileSize } = await processed(server, aText());
    expect([fileSize, isCount(media.fileSize)]).toEqual(['a few words'.length, true]);
    expect((await withoutProfile(server)).transcodingProfileId).toBeNull();
  }),

  ...fieldsOf(withLadder, {
    'media-media-processed-fields': (media) => {
      expect(media).toMatchObject({
        status: 'ready',
        StorageKey: text,
        ThumbnailKey: text,
        NormalizedKey: text,
        ManifestKey: text,
        SmilKey: text,
        Duration: expect.any(Number),
        VideoCodec: text,
        VideoProfile: text,
        PixelFormat: text,
        AudioCodec: text,
        transcodingStage: 'done',
      });
    },
  }),

  'media-media-concepts': holds(async (server) => {
    const { tenant } = await studio(server);
    const { input, storageKey } = await withoutProfile(server);
    expect(storageKey).toBe(`${tenant}/${input.folder}/${input.fileName}`);
  }),

  'media-upload-token-lifetime': holds(async (server) => {
    const { uploadToken, expiresAt } = await prepare(server, aText());
    expect([uploadToken, expiresAt]).toEqual([text, timestamp]);
    const spent = await upload(server, aText());
    const again = await createUpload(server, { token: spent, size: 11 });
    expect([again.status, JSON.parse(await again.text()).code]).toEqual([409, 'UPLOAD_TOKEN_USED']);
    // The record says what the bytes are, whatever type the client has claimed.
    const file = { ...aText('prepared.txt'), folder: `${aText().folder}/deep` };
    expect(await processed(server, file)).toMatchObject(preparing((await studio(server)).tenant, file));
  }, 'its end: test/media/hooks.test.ts'),
};

/** "Transcoding profile". */
export const profileFields: Rows = {
  ...fieldsOf(profiles, {
    'media-profile-fields': (found) => {
      for (const profile of found) {
        expect(profile).toMatchObject({ name: text, isDefault: truth, renditions: expect.any(Array) });
        expect([profile.ID, isCount(profile.ID)]).toEqual([expect.any(Number), true]);
      }
    },
    'media-profile-seeded': (found) => {
      const rungs = found.map(({ renditions, isDefault }) => [renditions.length, isDefault]);
      expect(rungs).toEqual(
        expect.arrayContaining([
          [3, true],
          [2, false],
          [0, false],
        ]),
      );
    },
  }),

  'media-profile-not-of-channels': holds(async (server) => {
    const transcodeConfig = { ladder: [{ height: 720, videoBitrateKbps: 2_500 }] };
    const node = await registered(server);
    const listed = async () => (await at(server, 'GET', '/api/media/transcoding-profiles?category=video')).json.data;
    // Another client may change profiles meanwhile: then once more.
    const changesNothing = async () => {
      const before = await listed();
      const { status, json } = await createChannel(server, channelOn([node], { transcodeConfig }));
      expect([status, json.data.transcodeConfig]).toEqual([201, transcodeConfig]);
      return isDeepStrictEqual(await listed(), before);
    };
    await expect.poll(changesNothing, { interval: 1_000 }).toBe(true);
  }),
};

const stages = ['queued', 'probe', 'transcode', 'package', 'done'];
const failing = perServer(async (server) => {
  return processed(server, { ...aText('broken.mp4'), mediaType: 'video', mimeType: 'video/mp4' });
});

/** "Media status and transcodingStage". */
export const mediaStates: Rows = {
  'media-media-status-new-to-processing': holds(async (server) => {
    const file = aText();
    const spent = await upload(server, file);
    const media = await mediaIn(server, file.folder);
    expect(['processing', 'ready']).toContain(media.status);
    expect((await createUpload(server, { token: spent, size: 11 })).status).not.toBe(201);
  }, 'where it lies until it is moved: subgraphs/media/src/library/library.integration.test.ts'),

  'media-media-status-processing-to-ready': holds(async (server) => {
    const { tenant } = await studio(server);
    const file = aText();
    const media = await processed(server, file);
    expect([media.status, media.storageKey]).toEqual(['ready', `${tenant}/${file.folder}/${file.fileName}`]);
    expect(['processing', 'ready']).toEqual(expect.arrayContaining(media.statuses));
  }),

  'media-media-status-stages': holds(async (server) => {
    const { seen } = await withLadder(server);
    expect(seen).toEqual(stages.filter((stage) => seen.includes(stage)));
    expect(seen.at(-1)).toBe('done');
    expect((await failing(server)).transcodingStage).toBe('failed');
  }),

  'media-media-status-passthrough': holds(async (server) => {
    for (const media of [await passedThrough(server), await withoutProfile(server)]) {
      expect(media).toMatchObject({ transcodingStage: 'done', manifestKey: null });
      expect(media.seen).not.toContain('transcode');
      expect(media.seen).not.toContain('package');
    }
  }),
};
