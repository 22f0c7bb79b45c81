import { join } from 'node:path';

import type { Needs } from '../task.ts';
import { probeFile } from './describe-file.ts';
import type { ProbedFile } from './probed.ts';
import { readStreams, trimTo, type Streams } from './streams.ts';
import { endOf } from './truncation.ts';

/** A file to normalize. */
export interface Source {
  file: string;
  /** What ffprobe says of it. */
  probed: ProbedFile;
  /** With the true ends of the streams, also where the file does not state them. */
  streams: Streams;
  /** When sound and picture end, in seconds, as the file states it; null when it does not. */
  stated: number | null;
  /** What ffmpeg said when it read all of the file; empty when it did not need to. */
  said: string;
}

interface Given {
  file: string;
  folder: string;
  signal: AbortSignal;
}

/** Reads the streams of a file, and measures when they end where the file does not state it reliably. */
export async function readSource({ transcoder }: Pick<Needs, 'transcoder'>, given: Given): Promise<Source> {
  const { file, folder, signal } = given;
  const probed = await probeFile(transcoder, file, { signal });
  const streams = readStreams(probed);
  // The file as a whole also lasts as long as its subtitles.
  const stated = endOf({ ...streams, duration: streams.subtitles.length > 0 ? null : streams.duration });
  if (!isUnsure(streams)) return { file, probed, streams, stated, said: '' };
  const copy = join(folder, 'durations.mkv');
  const tracks = [streams.video, ...streams.audios].flatMap((stream) => (stream ? ['-map', `0:${stream.index}`] : []));
  const conversion = { input: file, after: [...tracks, '-c', 'copy', copy] };
  const said = await transcoder.convert(conversion, { signal, timeoutMs: 3_600_000 });
  const measured = readStreams(await probeFile(transcoder, copy, { signal }));
  const ended = <Stream extends Streams['audios'][number] | Streams['video']>(stream: Stream, as: Stream | undefined) =>
    stream && as ? { ...stream, duration: as.duration, end: as.end } : stream;
  const video = ended(streams.video, measured.video);
  const audios = streams.audios.map((audio, at) => ended(audio, measured.audios[at]));
  return { file, probed, streams: { ...streams, video, audios, audio: audios[0] ?? null }, stated, said };
}

/**
 * Recordings of browsers state no durations. In Matroska some programs state the duration of a stream and some its end,
 * which matters when a stream starts late.
 */
function isUnsure(streams: Streams): boolean {
  const played = [streams.video, ...streams.audios].filter((stream) => stream !== null);
  if (played.some(({ end }) => !end)) return true;
  return (
    streams.format.includes('matroska') && trimTo(streams) !== null && played.some(({ startTime }) => startTime > 0.3)
  );
}
