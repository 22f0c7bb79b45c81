import { CannotRead, type Transcoder } from '#ports/transcoder.ts';
import type { Streams } from './streams.ts';

interface Source {
  file: string;
  streams: Pick<Streams, 'video'>;
}

/** Decodes the last second of a picture to find out whether its last frame is there only in part. */
export async function isLastFrameTorn(
  transcoder: Transcoder,
  { file, streams: { video } }: Source,
  signal: AbortSignal,
): Promise<boolean> {
  if (!video) return false;
  try {
    return await isConcealed(transcoder, { file, index: video.index }, signal);
  } catch (error) {
    if (signal.aborted || !(error instanceof CannotRead)) throw error;
    return false; // no frame of it at all
  }
}

interface Last {
  file: string;
  index: number;
}

const LAST_SECOND = ['-sseof', '-1'];
const TIMEOUT_MS = 120_000;

/** What the decoders of H.264 and MPEG-2 say of a frame that is there only in part. */
const concealed = /^\[[^\]]+\] concealing \d+ DC/m;

async function isConcealed(transcoder: Transcoder, { file, index }: Last, signal: AbortSignal): Promise<boolean> {
  const decoding = { input: file, before: LAST_SECOND, after: ['-map', `0:${index}`, '-f', 'null', '-'] };
  return concealed.test(await transcoder.convert(decoding, { signal, timeoutMs: TIMEOUT_MS }));
}
