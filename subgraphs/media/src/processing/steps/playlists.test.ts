import { parse, type types } from 'hls-parser';
import { describe, expect, it } from 'vitest';

import { bandwidthOf, mediaPlaylist, publishedName, segmentsIn, targetDuration } from './playlists.ts';

const lasting = (...durations: number[]) => durations.map((seconds, at) => ({ name: `seg_${at}.m4s`, seconds }));

describe('the target duration', () => {
  it.each([
    [[0.4], 1],
    [[4, 4, 1.02], 4],
    [[4.2, 4.499], 4],
    [[4.004, 4.5], 5],
    [[], 1],
  ])('of segments of %j seconds is %i', (durations, target) => {
    expect(targetDuration(lasting(...durations))).toBe(target);
  });
});

describe('a media playlist', () => {
  const complete = { type: 'complete' as const, target: 4, init: 'init.mp4', segments: lasting(4, 4, 0.52) };

  it('has what was given, for a strict reader', () => {
    const playlist = parse(mediaPlaylist(complete)) as types.MediaPlaylist;

    expect(playlist).toMatchObject({ endlist: true, playlistType: 'VOD', targetDuration: 4, version: 7 });
    expect(playlist.segments.map(({ uri, duration, map }) => [uri, duration, map?.uri])).toEqual([
      ['seg_0.m4s', 4, 'init.mp4'],
      ['seg_1.m4s', 4, 'init.mp4'],
      ['seg_2.m4s', 0.52, 'init.mp4'],
    ]);
  });

  it('names the beginning of a segment by its bytes', () => {
    const segments = [{ name: 'seg_0.m4s', seconds: 4, bytes: 1234 }];
    const playlist = parse(mediaPlaylist({ ...complete, segments })) as types.MediaPlaylist;

    expect(playlist.segments[0]?.byterange).toEqual({ length: 1234, offset: 0 });
  });

  it('that grows only has lines added, and begins at its beginning', () => {
    const growing = mediaPlaylist({ ...complete, type: 'growing', segments: lasting(4, 4) });
    const longer = mediaPlaylist({ ...complete, type: 'growing', segments: lasting(4, 4, 4) });
    const grown = mediaPlaylist({ ...complete, type: 'grown', segments: lasting(4, 4, 4, 1) });

    expect(longer.startsWith(growing)).toBe(true);
    expect(grown.startsWith(longer)).toBe(true);
    expect(parse(growing)).toMatchObject({ endlist: false, playlistType: 'EVENT', start: { offset: 0 } });
    expect(parse(grown)).toMatchObject({ endlist: true, playlistType: 'EVENT' });
  });

  it('is read back', () => {
    expect(segmentsIn(mediaPlaylist(complete))).toEqual(complete.segments);
  });
});

describe('a published file', () => {
  it('has a name that no other making has', () => {
    expect(publishedName('seg_00007.m4s', '1a2b')).toBe('seg_00007-1a2b.m4s');
  });
});

describe('the bandwidth', () => {
  it('is that of the largest segment, and of all; a short last one does not count', () => {
    const segments = [
      { bytes: 1000, seconds: 4 },
      { bytes: 3000, seconds: 4 },
      { bytes: 1000, seconds: 0.1 },
    ];
    expect(bandwidthOf(segments)).toEqual({ peakBandwidth: 6000, averageBandwidth: Math.ceil(40_000 / 8.1) });
  });
});
