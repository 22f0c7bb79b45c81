import { parse } from 'node:path';

/** A media segment in a playlist. */
export interface Segment {
  /** The URI, relative to the playlist. */
  name: string;
  seconds: number;
}

/** A part of a segment that a playlist names instead of the whole. */
interface PartOfSegment extends Segment {
  /** How many bytes, from the beginning of the segment on. */
  bytes: number;
}

/** Reads the segments of a media playlist. */
export function segmentsIn(playlist: string): Segment[] {
  return [...playlist.matchAll(/#EXTINF:([\d.]+),[^\n]*\n(?:#[^\n]*\n)*([^#\n]+)/g)].map(([, seconds, name]) => ({
    name: name?.trim() ?? '',
    seconds: Number(seconds),
  }));
}

/**
 * Returns the target duration of playlists, in whole seconds: no segment may be longer after rounding, it is at least
 * one, and it is the same for all variants and renditions (RFC 8216, 4.3.3.1 and 6.2.4).
 */
export const targetDuration = (segments: readonly Segment[]): number =>
  segments.reduce((most, { seconds }) => Math.max(most, Math.round(seconds)), 1);

interface MediaPlaylist {
  /** Complete for good, growing, or no longer growing (which stays `EVENT` for those who have read it before). */
  type: 'complete' | 'growing' | 'grown';
  /** In seconds. */
  target: number;
  /** The URI of the initialization section; none for subtitles. */
  init?: string;
  segments: readonly (Segment | PartOfSegment)[];
}

/** Writes a media playlist. Of a growing one nothing ever changes but what is appended. */
export function mediaPlaylist({ type, target, init, segments }: MediaPlaylist): string {
  return [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    `#EXT-X-TARGETDURATION:${target}`,
    '#EXT-X-MEDIA-SEQUENCE:0',
    `#EXT-X-PLAYLIST-TYPE:${type === 'complete' ? 'VOD' : 'EVENT'}`,
    // Without it, players would begin near the end of what there is.
    ...(type === 'complete' ? [] : ['#EXT-X-START:TIME-OFFSET=0']),
    ...(init === undefined ? [] : [`#EXT-X-MAP:URI="${init}"`]),
    ...segments.flatMap((segment) => [
      `#EXTINF:${segment.seconds.toFixed(6)},`,
      ...('bytes' in segment ? [`#EXT-X-BYTERANGE:${segment.bytes}@0`] : []),
      segment.name,
    ]),
    ...(type === 'growing' ? [] : ['#EXT-X-ENDLIST']),
    '',
  ].join('\n');
}

/**
 * Returns the name under which a file of a ladder is published: each making has names of its own, so that what a player
 * or a cache has loaded under a name never changes.
 */
export function publishedName(file: string, making: string): string {
  const { name, ext } = parse(file);
  return `${name}-${making}${ext}`;
}

export interface Bandwidth {
  /** In bits per second: of the largest segment, and of the whole. */
  peakBandwidth: number;
  averageBandwidth: number;
}

/** Returns the bandwidth of a rung or rendition, from the sizes of its segments. */
export function bandwidthOf(segments: readonly { bytes: number; seconds: number }[]): Bandwidth {
  const total = segments.reduce(
    (sum, { bytes, seconds }) => ({ bytes: sum.bytes + bytes, seconds: sum.seconds + seconds }),
    { bytes: 0, seconds: 0 },
  );
  const perSecond = ({ bytes, seconds }: { bytes: number; seconds: number }) =>
    Math.ceil((bytes * 8) / Math.max(seconds, 0.001));
  // A last segment of a few frames would distort the peak.
  const full = segments.filter(({ seconds }) => seconds >= 1);
  return { peakBandwidth: Math.max(perSecond(total), ...full.map(perSecond)), averageBandwidth: perSecond(total) };
}
