import { describe, expect, it } from 'vitest';

import { readStreams, trimTo } from './streams.ts';

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
