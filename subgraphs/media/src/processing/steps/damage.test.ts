import { describe, expect, it } from 'vitest';

import { findDamage } from './damage.ts';
import { readStreams } from './streams.ts';

const streams = readStreams({
  streams: [
    { index: 0, codec_type: 'video' },
    { index: 1, codec_type: 'audio', channels: 2 },
  ],
});

describe('damage of a film', () => {
  it.each([
    ['ffmpeg 5, frames in part', '/work/film.ts: corrupt decoded frame in stream 0'],
    ['ffmpeg 5', 'Error while decoding stream #0:0: Invalid data found when processing input'],
    ['ffmpeg 7, frames in part', '[vist#0:0/h264 @ 0x55d5] corrupt decoded frame'],
    ['ffmpeg 7', '[vist#0:0/h264 @ 0x55d5] [dec:h264 @ 0x5f] Error submitting packet to decoder: Invalid data found'],
  ])('is what %s says', (_version, line) => {
    expect(findDamage(`Stream mapping:\n${line}\nframe= 75`, streams)).toMatchObject({
      code: 'DAMAGED',
      message: 'Parts of the picture can not be decoded: the file is damaged.',
    });
  });

  it('of the sound is more than a torn first or last frame', () => {
    const line = 'Error while decoding stream #0:1: Invalid data found when processing input\n';
    expect(findDamage(line.repeat(2), streams)).toBeNull();
    expect(findDamage(line.repeat(9), streams)?.message).toContain('of the sound');
  });

  it('counts what ffmpeg says only once because it repeats', () => {
    const line = 'Error while decoding stream #0:1: Invalid data found when processing input\n';
    expect(findDamage(`${line}    Last message repeated 8 times\n`, streams)?.message).toContain('of the sound');
    expect(findDamage(`${line}    Last message repeated 1 times\n`, streams)).toBeNull();
    expect(findDamage(`${line}    title : Last message repeated 8 times\n`, streams)).toBeNull();
  });

  it('is not believed from words in the file', () => {
    expect(findDamage('    title           : x: corrupt decoded frame in stream 0', streams)).toBeNull();
  });

  it('is not what a decoder says before the first key frame', () => {
    expect(findDamage('[h264 @ 0x5567] non-existing PPS 0 referenced\n[h264 @ 0x5567] no frame!', streams)).toBeNull();
  });
});
