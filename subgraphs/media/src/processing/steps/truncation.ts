import { CannotRead, type Transcoder } from '#ports/transcoder.ts';
import { isShorter } from '../file-ends/ending.ts';
import { readMediaEnd } from '../file-ends/read-media-end.ts';
import type { MediaWarning } from '../warnings.ts';
import { findDamage } from './damage.ts';
import type { Streams } from './streams.ts';
import { isLastFrameTorn } from './torn-frame.ts';

/** What ffmpeg says when a file ends inside of a packet. */
const endsEarly = /File ended prematurely|partial file|\[matroska[^\]]*\] Read error/;
/** Other demuxers say this of a last packet; that of MPEG-TS also of damage in the middle. */
const lastPacketCorrupt = /Packet corrupt/;
const saysItOfOthers = new Set(['mpegts']);

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
  const end = await readMediaEnd(source.file, streams.format, actual);
  if (end === 'unstated') return null;
  const isCut =
    end === 'cut' ||
    endsEarly.test(said) ||
    (!saysItOfOthers.has(streams.format) && lastPacketCorrupt.test(said)) ||
    (stated !== null && isShorter(actual, stated)) ||
    (end === 'suspect' && (await isLastFrameTorn(transcoder, source, signal)));
  return isCut ? truncated(actual, stated) : null;
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
