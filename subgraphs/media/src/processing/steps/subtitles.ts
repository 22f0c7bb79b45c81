import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { CannotRead, type RunOptions } from '#ports/transcoder.ts';
import type { Needs } from '../task.ts';
import type { Track } from './renditions.ts';

/** A track of subtitles in a file. */
export interface SubtitleTrack extends Track {
  index: number;
  codec: string | null;
  /** Whether it is text; the others are pictures. */
  isText: boolean;
}

interface Converted<Given> {
  track: Given;
  /** The whole track as WebVTT. */
  text: string;
}

/** Cue times count from the beginning of the film, where the media time of the segments is zero (RFC 8216, 3.5). */
const TIMESTAMP_MAP = 'X-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00.000';

/**
 * How much is read into memory, of one track and of all: a few megabytes of a hostile file may become gigabytes of text. Those of
 * a long film are some hundred kilobytes.
 */
const MOST_BYTES_OF_TRACK = 16 * 2 ** 20;
const MOST_BYTES = 64 * 2 ** 20;

/** Adds what players of HLS need to a WebVTT file; null when it has no cue. */
export function asSegment(webVtt: string): string | null {
  const text = webVtt.replaceAll('\r\n', '\n');
  const headerEnd = text.indexOf('\n');
  if (!text.startsWith('WEBVTT') || !text.includes('-->')) return null;
  return `${text.slice(0, headerEnd)}\n${TIMESTAMP_MAP}\n${text.slice(headerEnd + 1)}`;
}

/**
 * Converts the subtitles of a file to WebVTT. Those that can't be converted are left out: a film is more than its
 * subtitles.
 *
 * @returns with a warning, for people, about each that was left out
 */
export async function convertSubtitles<Given extends SubtitleTrack>(
  { transcoder }: Pick<Needs, 'transcoder'>,
  { file, folder, tracks, run }: { file: string; folder: string; tracks: readonly Given[]; run: RunOptions },
): Promise<{ subtitles: Converted<Given>[]; warnings: string[] }> {
  const texts = tracks.filter(({ isText }) => isText);
  const path = ({ index }: SubtitleTrack) => join(folder, `subtitles-${index}.vtt`);
  const output = (track: SubtitleTrack) => ['-map', `0:${track.index}`, '-c:s', 'webvtt', '-f', 'webvtt', path(track)];
  const convert = (some: readonly SubtitleTrack[]) =>
    transcoder.convert({ input: file, after: some.flatMap(output) }, run).then(
      () => true,
      (error: unknown) => {
        if (error instanceof CannotRead) return false;
        throw error;
      },
    );
  // One reading of the file for all tracks; one bad track must not take the others with it.
  if (texts.length > 0 && !(await convert(texts))) for (const track of texts) await convert([track]);

  const subtitles: Converted<Given>[] = [];
  const warnings: string[] = [];
  let left = MOST_BYTES;
  for (const [at, track] of tracks.entries()) {
    const { size } = track.isText ? await stat(path(track)).catch(() => ({ size: 0 })) : { size: 0 };
    const isTooLong = size > Math.min(left, MOST_BYTES_OF_TRACK);
    const text = size > 0 && !isTooLong ? asSegment(await readFile(path(track), 'utf8')) : null;
    if (text !== null) {
      subtitles.push({ track, text });
      left -= size;
    } else {
      const named = [track.language, track.codec].filter(Boolean).join(', ');
      warnings.push(`Subtitles ${at + 1} (${named}) ${isTooLong ? 'are too long' : why(track)}.`);
    }
  }
  return { subtitles, warnings };
}

function why({ isText, codec }: SubtitleTrack): string {
  if (codec === 'dvb_teletext') return 'are teletext, which is not converted';
  return isText ? 'have no text that can be converted' : 'are pictures and can not become text';
}
