import { stat } from 'node:fs/promises';

import type { Transcoder } from '#ports/transcoder.ts';
import type { MediaWarning } from '../warnings.ts';
import type { Streams } from './streams.ts';

/** What ffmpeg says when a file ends inside of a packet. */
const endsEarly = /File ended prematurely|partial file|\[matroska[^\]]*\] Read error/;
/** Other demuxers say this of a last packet; that of MPEG-TS also of damage in the middle. */
const lastPacketCorrupt = /Packet corrupt/;

/** Headers round, and sounds end within a frame: that much less is no loss. */
const TOLERANCE_SECONDS = 0.3;
const TOLERANCE_SHARE = 0.01;

export const isShorter = (actual: number, stated: number): boolean =>
  stated - actual > Math.max(TOLERANCE_SECONDS, TOLERANCE_SHARE * stated);

/** When sound and picture of a file have ended, in seconds, as the file states it; null when it does not. */
export function endOf({ video, audios, duration }: Pick<Streams, 'video' | 'audios' | 'duration'>): number | null {
  const ends = [video, ...audios].flatMap((stream) => (stream?.end ? [stream.end] : []));
  return ends.length > 0 ? Math.max(...ends) : duration;
}

const seconds = (count: number) => `${Math.round(count * 10) / 10}`;

const truncated = (actual: number, stated: number | null): MediaWarning => ({
  code: 'TRUNCATED',
  message:
    stated !== null && isShorter(actual, stated)
      ? `The file ends after ${seconds(actual)} of ${seconds(stated)} seconds: a part of it is missing.`
      : `The file breaks off after ${seconds(actual)} seconds: a part of it is missing.`,
});

const TS_PACKETS = [188, 192, 204];

interface Source {
  file: string;
  streams: Pick<Streams, 'format'>;
  /** When it ends, in seconds, as the file states it. */
  stated: number | null;
}

/** Finds out whether a file ends early, from what ffmpeg said while it read all of it, and when the last packet ended. */
export async function readTruncation(
  { file, streams, stated }: Source,
  { said, actual }: { said: string; actual: number },
): Promise<MediaWarning | null> {
  const isTs = streams.format === 'mpegts';
  const isCut = isTs ? await isCutInPacket(file) : endsEarly.test(said) || lastPacketCorrupt.test(said);
  return isCut || (stated !== null && isShorter(actual, stated)) ? truncated(actual, stated) : null;
}

async function isCutInPacket(file: string): Promise<boolean> {
  const { size } = await stat(file);
  return TS_PACKETS.every((bytes) => size % bytes !== 0);
}

/** Reads a whole file, without decoding it, to find out whether it ends early. */
export async function findTruncation(
  transcoder: Transcoder,
  source: Source,
  signal: AbortSignal,
): Promise<MediaWarning | null> {
  let actual = 0;
  const said = await transcoder.convert(
    { input: source.file, after: ['-map', '0:v?', '-map', '0:a?', '-c', 'copy', '-f', 'null', '-'] },
    { signal, timeoutMs: 3_600_000, onSeconds: (done) => (actual = Math.max(actual, done)) },
  );
  return readTruncation(source, { said, actual });
}
