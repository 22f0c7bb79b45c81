import { describe, expect, it } from 'vitest';

import { asSegment } from './subtitles.ts';

describe('a WebVTT file', () => {
  it('says how its times relate to those of the film', () => {
    expect(asSegment('WEBVTT - a title\r\n\r\n00:01.000 --> 00:02.000\r\nHello\r\n')).toBe(
      'WEBVTT - a title\nX-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00.000\n\n00:01.000 --> 00:02.000\nHello\n',
    );
  });

  it.each(['', 'WEBVTT\n\n', 'nothing\n\n00:01.000 --> 00:02.000\nHello\n'])('is none without a cue: %j', (text) => {
    expect(asSegment(text)).toBeNull();
  });
});
