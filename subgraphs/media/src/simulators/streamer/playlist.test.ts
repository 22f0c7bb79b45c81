import { types, parse } from 'hls-parser';
import { describe, expect, it } from 'vitest';

import { fileOf, livePlaylist } from './playlist.ts';

const loop = { durations: [2000, 2000, 2000, 2000, 2000, 2000] };
const noon = Date.UTC(2030, 0, 1, 12);
/** When the loop began to play. */
const midnight = Date.UTC(2030, 0, 1);

const read = (now: number, durations: readonly number[] = loop.durations) => {
  const playlist = parse(livePlaylist({ durations }, midnight, now)) as types.MediaPlaylist;
  return {
    first: playlist.mediaSequenceBase ?? 0,
    seamsGone: playlist.discontinuitySequenceBase ?? 0,
    segments: playlist.segments.map(({ uri, discontinuity }) => (discontinuity ? `| ${uri}` : uri)),
    playlist,
  };
};

describe('the live playlist of a loop', () => {
  it('shows the six segments that were finished last', () => {
    const { first, segments } = read(noon);
    expect(segments).toHaveLength(6);
    expect(first).toBe((noon - midnight) / 2000 - 6);
    expect(segments.at(-1)).toBe(`segment-${(noon - midnight) / 2000 - 1}.m4s`);
  });

  it('stays as it is until the next segment is finished, then moves by one', () => {
    expect(livePlaylist(loop, midnight, noon + 1_999)).toBe(livePlaylist(loop, midnight, noon));
    expect(read(noon + 2_000).first).toBe(read(noon).first + 1);
  });

  it('marks the seam of the loop wherever it is in the window', () => {
    expect(read(noon).segments.findIndex((segment) => segment.startsWith('|'))).toBe(0);
    expect(read(noon + 2_000).segments.findIndex((segment) => segment.startsWith('|'))).toBe(5);
    expect(read(noon + 4_000).segments.findIndex((segment) => segment.startsWith('|'))).toBe(4);
  });

  it('counts a seam as gone only when its segment has left the window', () => {
    expect(read(noon + 2_000).seamsGone).toBe(read(noon).seamsGone + 1);
    expect(read(noon + 10_000).seamsGone).toBe(read(noon + 2_000).seamsGone);
    expect(read(noon + 14_000).seamsGone).toBe(read(noon + 2_000).seamsGone + 1);
  });

  it('counts its segments and seams from when it began to play', () => {
    const { first, seamsGone } = read(midnight + 60_000);
    expect({ first, seamsGone }).toEqual({ first: 24, seamsGone: 3 });
  });

  it('describes a segment the same in every playlist', () => {
    const facts = new Map<string, string>();
    for (let now = noon; now < noon + 40_000; now += 700) {
      const { playlist, seamsGone } = read(now);
      let seams = seamsGone;
      for (const { uri, duration, discontinuity, programDateTime } of playlist.segments) {
        if (discontinuity) seams += 1;
        const said = JSON.stringify([duration, discontinuity ?? false, programDateTime, seams]);
        expect(facts.get(uri) ?? said).toBe(said);
        facts.set(uri, said);
      }
    }
  });

  it('keeps step with the clock when segments are of different lengths', () => {
    const uneven = [2000, 1000, 3000];
    for (let now = noon; now < noon + 12_000; now += 250) {
      const { playlist } = read(now, uneven);
      const last = playlist.segments.at(-1);
      const end = (last?.programDateTime?.getTime() ?? 0) + (last?.duration ?? 0) * 1000;
      expect(end).toBeLessThanOrEqual(now);
      expect(now - end).toBeLessThan(3000);
    }
  });

  it('plays the files of the loop in turn', () => {
    expect([12, 13, 17, 18].map((number) => fileOf(loop, number))).toEqual([0, 1, 5, 0]);
  });
});
