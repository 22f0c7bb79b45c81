import { describe, expect, it } from 'vitest';

import { rungsFor } from './ladder.ts';
import { ownPrefix, presentFlatKey, presentPrefix, sourceKeys, thumbnailKey } from './keys.ts';
import { frameAt } from './make-thumbnail.ts';
import { planOf, progressOf, stepAfter } from './plan.ts';
import { readStreams, trimTo } from './streams.ts';

describe('the plan of processing', () => {
  it('goes through every step for a video with a ladder', () => {
    const plan = planOf({ mediaType: 'video', hasLadder: true });

    expect(plan).toEqual(['move', 'normalize', 'probe', 'thumbnail', 'transcode']);
    expect([stepAfter(plan, 'move'), stepAfter(plan, 'transcode')]).toEqual(['normalize', null]);
  });

  it('never says 100 percent before the end', () => {
    const plan = planOf({ mediaType: 'video', hasLadder: true });

    expect(progressOf(plan, 'transcode', 0.99)).toBeLessThan(100);
    expect(progressOf(plan, 'transcode', 7)).toBe(100);
  });
});

describe('the moment of a preview', () => {
  it('is at 10 percent, at least 1 second, within the first 3, and never past the end', () => {
    expect([frameAt(20), frameAt(5), frameAt(600), frameAt(0.8), frameAt(0)]).toEqual([2, 1, 3, 0.4, 0]);
  });
});

describe('keys', () => {
  const media = { id: 7, tenant: 'acme', folder: 'a/b', fileName: 'clip.mp4', ownFolder: false };

  it('are flat without a profile, and in a folder of their own with one', () => {
    const [flat, beside] = sourceKeys(media);
    const [own] = sourceKeys({ ...media, ownFolder: true });

    expect([flat, beside, own]).toEqual(['acme/a/b/clip.mp4', 'acme/a/b/clip-7.mp4', 'acme/a/b/7/source/clip.mp4']);
    expect(sourceKeys({ ...media, folder: '' })[0]).toBe('acme/clip.mp4');
    expect(thumbnailKey({ id: 7, storageKey: 'acme/a/b/clip.mp4' })).toBe('acme/a/b/.thumbnails/7.jpg');
    expect(thumbnailKey({ id: 7, storageKey: 'acme/a/b/7/source/clip.mp4' })).toBe('acme/a/b/7/thumbnail.jpg');
    expect(ownPrefix({ id: 7, storageKey: 'acme/a/b/7/source/clip.mp4' })).toBe('acme/a/b/7');
    expect(ownPrefix({ id: 7, storageKey: 'acme/a/b/clip.mp4' })).toBeNull();
  });

  it.each([
    ['2026/11', 'poster.png', 'acme/2026/11/poster.png'],
    ['seasons/324', 'poster.png', 'acme/seasons/324/poster.png'],
    ['seasons/324', 'thumbnail.jpg', 'acme/seasons/324/.thumbnail.jpg'],
    ['seasons/324/hls', 'master.m3u8', 'acme/seasons/324/.hls/master.m3u8'],
    ['seasons/324/HLS/360p', 'x', 'acme/seasons/324/.HLS/360p/x'],
    ['seasons/324/ſource', 'x', 'acme/seasons/324/.ſource/x'],
    ['324/324/smil', 'ladder.smil', 'acme/324/324/.smil/ladder.smil'],
    ['seasons', '324', 'acme/seasons/.324'],
    ['seasons/hls', 'source', 'acme/seasons/hls/source'],
  ])('of names from people are those names, but never in the place of another item: %s/%s', (folder, fileName, key) => {
    expect(sourceKeys({ ...media, folder, fileName })[0]).toBe(key);
    expect(presentFlatKey(`acme/${folder}/${fileName}`)).toBe(key);
    expect(presentFlatKey(key)).toBe(key);
  });

  it('of a film in a folder named like a place of ours are beside that place', () => {
    const own = { ...media, folder: 'seasons/324/hls', ownFolder: true };

    expect(sourceKeys(own)[0]).toBe('acme/seasons/324/.hls/7/source/clip.mp4');
    expect(presentPrefix('acme/seasons/324/hls/7')).toBe('acme/seasons/324/.hls/7');
    expect(presentPrefix('acme/seasons/324/7')).toBe('acme/seasons/324/7');
  });
});

describe('the rungs of a ladder', () => {
  const wishes = [480, 1080, 720].map((height) => ({ height, videoBitrateKbps: 1000, audioBitrateKbps: 128 }));
  const sizes = (source: { width: number; height: number }) =>
    rungsFor(wishes, source).map(({ name, size }) => `${name} ${size.width}x${size.height}`);

  it('are never taller than the source', () => {
    expect(sizes({ width: 1280, height: 720 })).toEqual(['720p 1280x720', '480p 854x480']);
  });

  it('measure the shorter side of a portrait', () => {
    expect(sizes({ width: 1080, height: 1920 })).toEqual(['1080p 1080x1920', '720p 720x1280', '480p 480x854']);
  });

  it('are one, in its own size, for a source smaller than all', () => {
    expect(sizes({ width: 321, height: 241 })).toEqual(['242p 322x242']);
  });
});

describe('trimming', () => {
  const streams = (video: number, audio: number) =>
    readStreams({
      streams: [
        { codec_type: 'video', duration: String(video) },
        { codec_type: 'audio', duration: String(audio) },
      ],
      format: {},
    });

  it('cuts to the shorter when they differ by more than 0.3 seconds', () => {
    expect([trimTo(streams(60, 59)), trimTo(streams(58, 60)), trimTo(streams(60, 59.8))]).toEqual([59, 58, null]);
  });

  it('reads durations from the tags of Matroska, and ignores cover pictures', () => {
    const { video } = readStreams({
      streams: [
        { codec_type: 'video', codec_name: 'mjpeg', disposition: { attached_pic: 1 } },
        { codec_type: 'video', codec_name: 'vp9', tags: { DURATION: '00:01:02.500000000' } },
      ],
    });

    expect(video).toMatchObject({ codec: 'vp9', duration: 62.5 });
  });
});
