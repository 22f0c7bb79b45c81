import { mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';

import type { Attempt } from '@foyer/shared/jobs/job';

import type { ProcessingData } from '../jobs.ts';
import { ownPrefix } from '../../storage/media-keys.ts';
import { ladderArguments, rungsFor, type Rung } from './ladder.ts';
import { bandwidthOf, masterPlaylist, segmentsIn, smilLadder, videoCodecIn, type MadeRung } from './playlists.ts';
import { removeLadder } from '../remove-ladder.ts';
import { CannotProcess, runStep, type Needs, type Outcome, type Task } from '../step.ts';
import { readStreams, streamEntries, type Streams } from './streams.ts';

/** Step 5, video with a ladder: makes the rungs and publishes them, the master playlist and SMIL last. */
export const transcodeMediaFile = (needs: Needs, data: ProcessingData, attempt: Attempt) =>
  runStep(needs, 'transcode', data, attempt, async (task) => {
    const { media, folder, signal } = task;
    const file = join(folder, `source${extname(media.storageKey).toLowerCase()}`);
    await needs.store.fetch(media.storageKey, file);
    const streams = readStreams(await needs.transcoder.probe(file, streamEntries, { signal, timeoutMs: 60_000 }));
    const { rungs, framesPerSecond } = await makeRungs(needs, task, { file, streams });
    await task.write({ transcodingStage: 'package' });
    return publish(needs, task, { rungs, framesPerSecond });
  });

async function makeRungs(
  needs: Needs,
  { media, folder, signal, report }: Task,
  { file, streams }: { file: string; streams: Streams },
) {
  const { video, audio } = streams;
  if (!video || video.width < 2 || video.height < 2) throw new CannotProcess('There is no video in this file.');
  const seconds = video.duration ?? streams.duration ?? 0;
  const rungs = rungsFor(media.renditions, video);
  const hls = join(folder, 'hls');
  for (const { name } of rungs) await mkdir(join(hls, name), { recursive: true });

  const source = { ...video, hasAudio: audio !== null };
  await needs.transcoder.convert(
    { input: file, after: ladderArguments(rungs, source, hls) },
    { signal, timeoutMs: timeoutFor(seconds), onSeconds: (done) => report((0.95 * done) / Math.max(seconds, 1)) },
  );
  const made = await Promise.all(rungs.map((rung) => measured(join(hls, rung.name), rung, audio !== null)));
  return { rungs: made, framesPerSecond: video.framesPerSecond };
}

async function measured(folder: string, rung: Rung, hasAudio: boolean): Promise<MadeRung> {
  const playlist = await readFile(join(folder, 'index.m3u8'), 'utf8').catch(() => '');
  const segments = await Promise.all(
    segmentsIn(playlist).map(async ({ name, seconds }) => ({ seconds, bytes: (await stat(join(folder, name))).size })),
  );
  if (segments.length === 0 || !playlist.includes('#EXT-X-ENDLIST'))
    throw new CannotProcess('A rung of the ladder came out empty.');
  const videoCodec = videoCodecIn(await readFile(join(folder, 'init.mp4')));
  return { ...rung, ...bandwidthOf(segments), videoCodec, audioCodec: hasAudio ? 'mp4a.40.2' : null };
}

/** Publishes segments, then their playlists, then master playlist and SMIL: whoever finds a file finds all that it names. */
async function publish(
  needs: Needs,
  task: Task,
  { rungs, framesPerSecond }: { rungs: readonly MadeRung[]; framesPerSecond: number | null },
): Promise<Outcome> {
  const { media, folder, signal } = task;
  const prefix = ownPrefix(media);
  if (prefix === null) throw new CannotProcess('This video has no folder of its own.');
  const manifestKey = `${prefix}/hls/master.m3u8`;
  const smilKey = `${prefix}/smil/ladder.smil`;
  const files: { key: string; file: string }[] = [];
  for (const { name } of rungs) {
    const made = join(folder, 'hls', name);
    for (const file of playlistsLast(await readdir(made)))
      files.push({ key: `${prefix}/hls/${name}/${file}`, file: join(made, file) });
  }
  const keys = [...files.map(({ key }) => key), manifestKey, smilKey];
  await task.claim(keys);

  for (const { key, file } of files) {
    signal.throwIfAborted();
    await task.store(key, { file });
  }
  signal.throwIfAborted();
  await task.store(manifestKey, { bytes: Buffer.from(masterPlaylist(rungs, framesPerSecond)) });
  await task.store(smilKey, { bytes: Buffer.from(smilLadder(rungs, media.title)) });
  // Removes the files of an earlier run with other rungs or another length.
  await removeLadder(needs, media, new Set(keys));
  return { data: { manifestKey, smilKey }, facts: { rungs: rungs.map(({ name }) => name) } };
}

const playlistsLast = (files: readonly string[]) =>
  files.toSorted((one, other) => Number(one.endsWith('.m3u8')) - Number(other.endsWith('.m3u8')));

const timeoutFor = (seconds: number) => Math.min(Math.max(900, seconds * 60), 22 * 3_600) * 1000;
