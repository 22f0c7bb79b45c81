import { describe, expect, it } from 'vitest';

import { ownPrefix, presentFlatKey, presentPrefix, sourceKeys, thumbnailKey } from './media-keys.ts';

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
  ])('keep the names that people chose, but never in the folder of another item: %s/%s', (folder, fileName, key) => {
    expect(sourceKeys({ ...media, folder, fileName })[0]).toBe(key);
    expect(presentFlatKey(`acme/${folder}/${fileName}`)).toBe(key);
    expect(presentFlatKey(key)).toBe(key);
  });

  it('of a film in a folder with a reserved name lie beside that folder', () => {
    const own = { ...media, folder: 'seasons/324/hls', ownFolder: true };

    expect(sourceKeys(own)[0]).toBe('acme/seasons/324/.hls/7/source/clip.mp4');
    expect(presentPrefix('acme/seasons/324/hls/7')).toBe('acme/seasons/324/.hls/7');
    expect(presentPrefix('acme/seasons/324/7')).toBe('acme/seasons/324/7');
  });
});
