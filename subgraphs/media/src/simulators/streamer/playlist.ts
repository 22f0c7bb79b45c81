/** A film that is played over and over. */
export interface Loop {
  /** In milliseconds, one per segment. */
  durations: readonly number[];
}

/** How many finished segments a playlist shows. */
const WINDOW = 6;

/**
 * Returns the live media playlist of a loop at a moment (RFC 8216): the segments that were finished last.
 *
 * Segments are counted from the start of the loop and not from 1970: hls.js walks through all discontinuities up to the
 * first one of a playlist each time it reads one.
 *
 * @param since when the loop began to play, at least a window before now, in milliseconds since 1970
 * @param now milliseconds since 1970
 */
export function livePlaylist({ durations }: Loop, since: number, now: number): string {
  const first = segmentAt(durations, now - since) - WINDOW;
  const longest = Math.ceil(Math.max(...durations) / 1000);
  const segments = Array.from({ length: WINDOW }, (_, index) => first + index);

  return [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    `#EXT-X-TARGETDURATION:${longest}`,
    `#EXT-X-MEDIA-SEQUENCE:${first}`,
    // The seams that have left the window: that of the first segment is still in it.
    `#EXT-X-DISCONTINUITY-SEQUENCE:${Math.floor((first - 1) / durations.length)}`,
    '#EXT-X-INDEPENDENT-SEGMENTS',
    '#EXT-X-MAP:URI="init.mp4"',
    ...segments.flatMap((number) => [
      ...(number % durations.length === 0 ? ['#EXT-X-DISCONTINUITY'] : []),
      `#EXT-X-PROGRAM-DATE-TIME:${new Date(since + startOf(durations, number)).toISOString()}`,
      `#EXTINF:${(durationOf(durations, number) / 1000).toFixed(3)},`,
      `segment-${number}.m4s`,
    ]),
    '',
  ].join('\n');
}

/** Returns the file of the loop for a segment number. */
export const fileOf = ({ durations }: Loop, number: number): number => number % durations.length;

const total = (durations: readonly number[]) => durations.reduce((sum, duration) => sum + duration, 0);

const durationOf = (durations: readonly number[], number: number) => durations[number % durations.length] ?? 0;

const startOf = (durations: readonly number[], number: number) =>
  Math.floor(number / durations.length) * total(durations) + total(durations.slice(0, number % durations.length));

/** Returns the number of the unfinished segment, some milliseconds after the start. */
function segmentAt(durations: readonly number[], played: number): number {
  const passes = Math.floor(played / total(durations));
  let number = passes * durations.length;
  while (startOf(durations, number + 1) <= played) number += 1;
  return number;
}
