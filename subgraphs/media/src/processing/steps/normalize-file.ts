import { stat } from 'node:fs/promises';
import { join } from 'node:path';

import { CannotRead, type RunOptions } from '#ports/transcoder.ts';
import { isShorter } from '../file-ends/ending.ts';
import type { Needs, Task } from '../task.ts';
import type { MediaWarning } from '../warnings.ts';
import { containerOf, headOf, type Container } from './containers.ts';
import { findDamage } from './damage.ts';
import { probeFile } from './describe-file.ts';
import { audioBitrate, isSilent, normalizationType, normalizingFilter } from './loudness.ts';
import { measureTracks, type Track } from './measure-tracks.ts';
import type { ProbedFile } from './probed.ts';
import type { Source } from './read-source.ts';
import { readStreams, trimTo, type Streams } from './streams.ts';
import { endOf, findTruncation, readTruncation } from './truncation.ts';

type Work = Pick<Task, 'folder' | 'signal' | 'report'>;

export interface Normalized {
  /** The new file. */
  output: string;
  /** What ffprobe says of it. */
  probed: ProbedFile;
  /** How the tracks reached the target loudness: see `normalizationType`. */
  type: string;
  /** In seconds; null when nothing was cut. */
  trimmedTo: number | null;
  /** Whether a part of the original is missing, or its sound is damaged. */
  warning: MediaWarning | null;
}

/** Writes a file again: trimmed, every track at the target loudness, every subtitle kept. @throws {CannotRead} */
export async function normalizeFile(
  needs: Needs,
  source: Source,
  { folder, signal, report }: Work,
): Promise<Normalized> {
  const { transcoder, processingRules } = needs;
  const { file, streams } = source;
  const { audios } = streams;
  const container = containerOf(streams, await headOf(file));
  if (!container) throw new CannotRead(`Files of the format "${streams.format}" are kept as they are.`);
  if (!streams.video) throw new CannotRead('There is no video in this file.');

  const trimmedTo = trimTo(streams);
  const seconds = trimmedTo ?? endOf(streams) ?? 0;
  const limit = trimmedTo === null ? [] : ['-t', String(trimmedTo)];
  const options = (share: number, from: number): RunOptions => ({
    signal,
    timeoutMs: timeoutFor(seconds),
    onSeconds: (done) => report(from + share * Math.min(done / Math.max(seconds, 1), 1)),
  });

  const { tracks, said: heard } = await measureTracks(needs, { file, audios, limit }, options(0.5, 0));
  const output = join(folder, `normalized.${container.muxer}`);
  const said = await transcoder.convert(
    {
      input: file,
      after: [...limit, ...copying(streams, container), ...tracks.flatMap(sounding), ...container.options, output],
    },
    options(0.5, 0.5),
  );
  const { truncated, probed } = await verify(needs, { source, output, said, trimmedTo, signal });
  // The picture is copied: only its ladder decodes it. So are silent tracks, which were decoded to be measured.
  const damage = [heard, said].map((words) => findDamage(words, { video: null, audios })).find(Boolean) ?? null;
  const type = normalizationType(
    said,
    tracks.map(({ loudness }) => loudness),
  );
  return { output, probed, type, trimmedTo, warning: truncated ?? damage };

  function sounding({ audio, loudness }: Track, at: number): string[] {
    // The oldest ffmpeg forgets them for tracks that it encodes.
    const kept = [`-disposition:a:${at}`, audio.dispositions.join('+') || '0'];
    if (!loudness || isSilent(loudness)) return [`-c:a:${at}`, 'copy', ...kept];
    const filter = normalizingFilter(processingRules.targetLoudness, audio.channels, loudness);
    const encoder = [`-c:a:${at}`, container?.audioEncoder ?? 'aac', `-b:a:${at}`, `${audioBitrate(audio.channels)}k`];
    // loudnorm may output 192 kHz.
    return [`-filter:a:${at}`, filter, `-ar:a:${at}`, '48000', ...encoder, ...kept];
  }
}

function copying({ video, audios, subtitles }: Streams, { muxer, hasAttachments }: Container): string[] {
  const kept = [video, ...audios, ...subtitles].flatMap((stream) => (stream ? ['-map', `0:${stream.index}`] : []));
  const fonts = hasAttachments ? ['-map', '0:t?'] : [];
  // A track that begins late must not stop the others: the oldest ffmpeg would give up early.
  return [...kept, ...fonts, '-map_metadata', '0', '-c', 'copy', '-max_muxing_queue_size', '9999', '-f', muxer];
}

interface Made {
  source: Source;
  output: string;
  said: string;
  trimmedTo: number | null;
  signal: AbortSignal;
}

/**
 * Checks the new file against the original.
 *
 * @returns what it is, and a warning when the original is shorter than it states
 * @throws {CannotRead} when a stream or some of the duration is lost
 */
async function verify({ transcoder }: Needs, { source, output, said, trimmedTo, signal }: Made) {
  const { size } = await stat(output).catch(() => ({ size: 0 }));
  if (size === 0) throw new CannotRead('Normalizing made no file.');
  const probed = await probeFile(transcoder, output, { signal });
  const made = readStreams(probed);
  const lost = (kind: 'audios' | 'subtitles') => made[kind].length !== source.streams[kind].length;
  if (!made.video || lost('audios') || lost('subtitles')) throw new CannotRead('Normalizing lost a stream.');

  const expected = trimmedTo ?? endOf(source.streams) ?? 0;
  const actual = endOf(made) ?? 0;
  if (expected > 0 && actual - expected > 1) throw new CannotRead('Normalizing changed the duration.');
  if (isShorter(actual, expected)) {
    const warning = await findTruncation(transcoder, source, signal);
    if (warning) return { probed, truncated: warning };
    throw new CannotRead('Normalizing changed the duration.');
  }
  const end = trimmedTo === null ? actual : (endOf(source.streams) ?? actual);
  const reading = { said: source.said + said, actual: end, signal };
  return { probed, truncated: await readTruncation(transcoder, source, reading) };
}

const timeoutFor = (seconds: number) => Math.min(Math.max(300, seconds * 4), 5 * 3_600) * 1000;
