import { stat } from 'node:fs/promises';
import { extname, join } from 'node:path';

import type { Attempt } from '@foyer/shared/jobs/job';

import { CannotRead, type RunOptions } from '#ports/transcoder.ts';
import type { ProcessingData } from '../jobs.ts';
import {
  audioBitrate,
  isSilent,
  measuringFilter,
  normalizationType,
  normalizingFilter,
  readLoudness,
  type Loudness,
} from './loudness.ts';
import { runStep, type Needs, type Outcome, type Task } from '../step.ts';
import { readStreams, streamEntries, trimTo, type Streams } from './streams.ts';

/** The containers that we write, and the usual audio codec of each. */
const encoderOf: Record<string, string> = {
  '.mp4': 'aac',
  '.m4v': 'aac',
  '.mov': 'aac',
  '.mkv': 'aac',
  '.webm': 'libopus',
  '.ts': 'aac',
  '.flv': 'aac',
};

/** Containers whose index can be moved to the front, so that playback starts before everything is loaded. */
const fastStart = new Set(['.mp4', '.m4v', '.mov']);

/**
 * Step 2, video only: trims, remuxes with fast start, and brings the sound to the target loudness; the picture is copied
 * unchanged. When that fails, the original stays.
 */
export const normalizeMediaFile = (needs: Needs, data: ProcessingData, attempt: Attempt) =>
  runStep(needs, 'normalize', data, attempt, async (task) => {
    const { media, signal, last } = task;
    const stored = await needs.store.stat(media.storageKey);
    if (stored && stored.etag !== media.etag) {
      // An earlier attempt replaced the file and died before it could commit: normalizing once is enough.
      return {
        data: { normalizedKey: media.storageKey, etag: stored.etag },
        facts: { resumed: true },
      };
    }
    if (media.normalizedKey) return { facts: { already: true } };
    try {
      return await normalize(needs, task);
    } catch (error) {
      if (signal.aborted || !(error instanceof CannotRead || last)) throw error;
      return { data: { normalizationType: 'kept' }, facts: { kept: error instanceof Error ? error.message : '' } };
    }
  });

async function normalize(needs: Needs, { media, folder, signal, report, write }: Task): Promise<Outcome> {
  const { store, transcoder, processingRules } = needs;
  const extension = extname(media.storageKey).toLowerCase();
  const encoder = encoderOf[extension];
  if (!encoder) throw new CannotRead(`files ${extension || 'without an extension'} are kept as they are`);

  const input = join(folder, `source${extension}`);
  const output = join(folder, `normalized${extension}`);
  await store.fetch(media.storageKey, input);
  const streams = await streamsOf(needs, { input, folder, signal });
  if (!streams.video) throw new CannotRead('there is no video in it');
  const seconds = trimTo(streams) ?? streams.duration ?? 0;
  const trim = trimTo(streams);
  const limit = trim === null ? [] : ['-t', String(trim)];
  const run = (share: number, from: number): RunOptions => ({
    signal,
    timeoutMs: timeoutFor(seconds),
    onSeconds: (done) => report(from + (share * done) / Math.max(seconds, 1)),
  });

  const { channels } = streams.audio ?? { channels: 0 };
  const measured = channels > 0 ? await measure() : null;
  const audible = measured !== null && !isSilent(measured);
  const said = await transcoder.convert(
    { input, after: [...limit, ...copying(), ...sound(measured), output] },
    run(0.5, 0.5),
  );
  await verify(needs, output, { seconds, signal, hadAudio: channels > 0 });
  await write({}); // throws when another attempt has taken over: it must not replace the file
  const { etag } = await store.putFile(media.storageKey, output);
  return {
    // `fileSize` stays that of the upload: processing does not set it (spec 3, "Resources and their fields").
    data: { normalizedKey: media.storageKey, etag, normalizationType: kind() },
    facts: { trimmedTo: trim, measured: audible ? { ...measured } : null },
  };

  async function measure(): Promise<Loudness | null> {
    const filter = measuringFilter(processingRules.targetLoudness, channels);
    const after = [...limit, '-map', '0:a:0', '-af', filter, '-f', 'null', '-'];
    return readLoudness(await transcoder.convert({ input, after }, run(0.5, 0)));
  }
  function copying(): string[] {
    const sounds = channels > 0 ? ['-map', '0:a:0'] : [];
    return [
      '-map',
      '0:v:0',
      ...sounds,
      '-map_metadata',
      '0',
      '-c:v',
      'copy',
      ...(fastStart.has(extension) ? ['-movflags', '+faststart'] : []),
    ];
  }
  function sound(loudness: Loudness | null): string[] {
    if (channels === 0) return [];
    if (!loudness || isSilent(loudness)) return ['-c:a', 'copy'];
    const filter = normalizingFilter(processingRules.targetLoudness, channels, loudness);
    // loudnorm may output 192 kHz.
    return ['-af', filter, '-ar', '48000', '-c:a', encoder ?? 'aac', '-b:a', `${audioBitrate(channels)}k`];
  }
  function kind(): string {
    if (channels === 0) return 'none';
    return audible ? normalizationType(said) : 'silent';
  }
}

/** Probes the streams. Recordings of browsers state no durations: a copy into Matroska reveals them. */
async function streamsOf(
  { transcoder }: Needs,
  { input, folder, signal }: { input: string; folder: string; signal: AbortSignal },
): Promise<Streams> {
  const options = { signal, timeoutMs: 60_000 };
  const streams = readStreams(await transcoder.probe(input, streamEntries, options));
  const unknown = (streams.video && !streams.video.duration) || (streams.audio && !streams.audio.duration);
  if (!unknown) return streams;
  const copy = join(folder, 'durations.mkv');
  await transcoder.convert(
    { input, after: ['-map', '0:v:0', '-map', '0:a:0?', '-c', 'copy', copy] },
    { signal, timeoutMs: 3_600_000 },
  );
  return readStreams(await transcoder.probe(copy, streamEntries, options));
}

/** Checks the new file against the original. @throws {CannotRead} when a stream or some of the duration is lost */
async function verify(
  { transcoder }: Needs,
  output: string,
  { seconds, signal, hadAudio }: { seconds: number; signal: AbortSignal; hadAudio: boolean },
) {
  const { size } = await stat(output).catch(() => ({ size: 0 }));
  if (size === 0) throw new CannotRead('normalizing made no file');
  const { video, audio, duration } = readStreams(
    await transcoder.probe(output, streamEntries, { signal, timeoutMs: 60_000 }),
  );
  if (!video || !!audio !== hadAudio) throw new CannotRead('normalizing lost a stream');
  if (seconds > 0 && Math.abs((duration ?? 0) - seconds) > 1) throw new CannotRead('normalizing changed the duration');
}

const timeoutFor = (seconds: number) => Math.min(Math.max(300, seconds * 4), 5 * 3_600) * 1000;
