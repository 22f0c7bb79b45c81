import { CannotRead, type Transcoder } from '#ports/transcoder.ts';
import type { MediaWarning } from '../warnings.ts';
import { findDamage } from './damage.ts';
import { readFileEnd } from './read-file-end.ts';
import type { Streams } from './streams.ts';

/** What ffmpeg says when a file ends inside of a packet. */
const endsEarly = /File ended prematurely|partial file|\[matroska[^\]]*\] Read error/;
/** Other demuxers say this of a last packet; that of MPEG-TS also of damage in the middle. */
const lastPacketCorrupt = /Packet corrupt/;

/** Headers round, and sounds end within a frame: that much less is no loss. */
const LEAST_TOLERANCE_SECONDS = 0.3;
const MOST_TOLERANCE_SECONDS = 1;
const TOLERANCE_SHARE = 0.01;

export const isShorter = (actual: number, stated: number): boolean =>
  stated - actual > Math.min(Math.max(LEAST_TOLERANCE_SECONDS, TOLERANCE_SHARE * stated), MOST_TOLERANCE_SECONDS);

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

export interface Source {
  file: string;
  streams: Pick<Streams, 'format' | 'video'>;
  /** When it ends, in seconds, as the file states it. */
  stated: number | null;
}

interface Reading {
  /** What ffmpeg said while it read all of the file. */
  said: string;
  /** When the last packet ended, in seconds. */
  actual: number;
}

/** Finds out whether a file ends early, from what was found when all of it was read. */
export async function readTruncation(
  transcoder: Transcoder,
  source: Source,
  { said, actual, signal }: Reading & { signal: AbortSignal },
): Promise<MediaWarning | null> {
  const { stated, streams } = source;
  // That of MPEG-TS says it of damage in the middle as well.
  const isTorn = endsEarly.test(said) || (streams.format !== 'mpegts' && lastPacketCorrupt.test(said));
  const isCut =
    isTorn || (stated !== null && isShorter(actual, stated)) || (await endsOpen(transcoder, source, signal));
  return isCut ? truncated(actual, stated) : null;
}

/** Whether the end of a file, by the marks of its container, shows that more would follow. */
async function endsOpen(transcoder: Transcoder, { file, streams }: Source, signal: AbortSignal): Promise<boolean> {
  const { format, video } = streams;
  const end = await readFileEnd(file, format);
  if (end !== 'suspect') return end === 'cut';
  return video !== null && isLastFrameTorn(transcoder, { file, index: video.index }, signal);
}

/** What the decoders of H.264 and MPEG-2 say of a frame that is there only in part. */
const concealed = /^\[[^\]]+\] concealing \d+ DC/m;

async function isLastFrameTorn(
  transcoder: Transcoder,
  { file, index }: { file: string; index: number },
  signal: AbortSignal,
): Promise<boolean> {
  const decoding = { input: file, before: ['-sseof', '-1'], after: ['-map', `0:${index}`, '-f', 'null', '-'] };
  const said = await transcoder.convert(decoding, { signal, timeoutMs: 120_000 }).catch((error: unknown) => {
    if (signal.aborted || !(error instanceof CannotRead)) throw error;
    return ''; // no frame of it at all
  });
  return concealed.test(said);
}

/** Reads a whole file, without decoding it, to find out whether it ends early. */
export async function findTruncation(
  transcoder: Transcoder,
  source: Source,
  signal: AbortSignal,
): Promise<MediaWarning | null> {
  const read = await readWhole(transcoder, source.file, { sound: 'copied', signal });
  return readTruncation(transcoder, source, { ...read, signal });
}

/**
 * Reads a whole file and decodes its sound, which costs little, to find out whether it ends early or its sound is damaged.
 * What this ffmpeg can't decode is only read.
 */
export async function findFault(
  transcoder: Transcoder,
  source: Source & { streams: Pick<Streams, 'audios'> },
  signal: AbortSignal,
): Promise<MediaWarning | null> {
  try {
    const { said, actual } = await readWhole(transcoder, source.file, { sound: 'decoded', signal });
    const truncated = await readTruncation(transcoder, source, { said, actual, signal });
    return truncated ?? findDamage(said, { video: null, audios: source.streams.audios });
  } catch (error) {
    if (signal.aborted || !(error instanceof CannotRead)) throw error;
    return findTruncation(transcoder, source, signal);
  }
}

async function readWhole(
  transcoder: Transcoder,
  file: string,
  { sound, signal }: { sound: 'decoded' | 'copied'; signal: AbortSignal },
): Promise<Reading> {
  let actual = 0;
  const copied = sound === 'copied' ? ['-c', 'copy'] : ['-c:v', 'copy'];
  const said = await transcoder.convert(
    { input: file, after: ['-map', '0:v?', '-map', '0:a?', ...copied, '-f', 'null', '-'] },
    { signal, timeoutMs: 3_600_000, onSeconds: (done) => (actual = Math.max(actual, done)) },
  );
  return { said, actual };
}
