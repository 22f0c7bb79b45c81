import { randomBytes } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { readWarnings } from '../warnings.ts';
import { removeLadder } from '../remove-ladder.ts';
import { CannotProcess, type Needs, type Task } from '../task.ts';
import { findDamage } from './damage.ts';
import { openEarlyPlayback, type EarlyPlayback } from './early-playback.ts';
import { diskRefused, measureSegment, videoCodecIn, type Measured } from './fragments.ts';
import { ladderArguments, PICTURE_FOLDER, type PictureAlone, type Rung, type Source } from './ladder.ts';
import { bandwidthOf, publishedName, segmentsIn, type Segment } from './playlists.ts';
import type { WholeLadder } from './publish-ladder.ts';
import type { Rendition } from './renditions.ts';
import type { Streams } from './streams.ts';

interface Plan extends Omit<Source, 'sounds'> {
  file: string;
  streams: Streams;
  /** Of the media item's own keys. */
  prefix: string;
  rungs: readonly Rung[];
  sounds: readonly (Rendition & Source['sounds'][number])[];
  pictureAlone: PictureAlone | null;
}

type Made = Pick<WholeLadder, 'rungs' | 'audios' | 'folder' | 'making' | 'early'>;

const AAC_LC = 'mp4a.40.2';
const CHANNELS = 2;

/** Makes the segments of all rungs and renditions of sound from one decoding, and publishes the lowest rung meanwhile. */
export async function makeSegments(needs: Needs, task: Task, plan: Plan): Promise<Made> {
  const { rungs, sounds, file, streams, duration, picture, pictureAlone } = plan;
  // Until there is a ladder, all that is there is what an earlier attempt has left.
  if (task.media.manifestKey === null) await removeLadder(needs, task.media);
  const making = randomBytes(4).toString('hex');
  const folder = join(task.folder, making);
  for (const place of [...rungs.map(({ name }) => join(name, PICTURE_FOLDER)), ...sounds.map((sound) => sound.folder)])
    await mkdir(join(folder, place), { recursive: true });
  const early = earlyPlaybackOf(needs, task, { ...plan, folder, making });
  try {
    const said = await needs.transcoder.convert(
      { input: file, before: picture.before, after: ladderArguments(rungs, plan, { folder, pictureAlone }) },
      {
        signal: task.signal,
        timeoutMs: timeoutFor(duration),
        onSeconds: (done) => {
          task.report((0.95 * done) / Math.max(duration, 1));
          early?.look();
        },
      },
    );
    warnOfDamage(task, said, streams);
  } finally {
    await early?.settle(); // it must not store anything after what follows, such as a removal
  }

  const measured = (place: string) => measuredSegments(folder, place, { ...plan, making, early });
  const madeRungs = rungs.map(async (rung) => {
    const segments = await measured(rung.name);
    const videoCodec = videoCodecIn(await readFile(join(folder, rung.name, 'init.mp4')));
    const audioCodec = sounds.length > 0 ? AAC_LC : null;
    const pictureFiles = pictureAlone === 'file' ? await measured(join(rung.name, PICTURE_FOLDER)) : null;
    const bandwidthAlone = pictureFiles ? bandwidthOf(pictureFiles) : pictureAlone ? ofFirstFragments(segments) : null;
    return {
      ...rung,
      ...bandwidthOf(segments),
      segments,
      videoCodec,
      audioCodec,
      picture: bandwidthAlone,
      pictureFiles,
    };
  });
  const madeSounds = sounds.map(async (sound) => {
    const segments = await measured(sound.folder);
    return { ...sound, ...bandwidthOf(segments), segments, codec: AAC_LC, channels: CHANNELS };
  });
  // Awaited together: a full disk cuts short several at once, and a failure that nobody awaits ends the process.
  const [allRungs, audios] = await Promise.all([Promise.all(madeRungs), Promise.all(madeSounds)]);
  return { rungs: allRungs, audios, folder, making, early };
}

/** Where a file breaks off, its last frame is torn: that is no damage besides. */
function warnOfDamage(task: Task, said: string, streams: Streams): void {
  const damage = findDamage(said, streams);
  if (damage && !readWarnings(task.warnings()).some(({ code }) => code === 'TRUNCATED')) task.warn(damage);
}

/** Of an item that has no ladder yet: one that is made again can be played meanwhile as it is. */
function earlyPlaybackOf(
  needs: Needs,
  task: Task,
  { rungs, folder, prefix, making }: Plan & { folder: string; making: string },
): EarlyPlayback | null {
  const lowest = rungs.at(-1);
  if (!lowest || task.media.manifestKey !== null) return null;
  return openEarlyPlayback(needs, task, {
    folder: join(folder, lowest.name),
    prefix: `${prefix}/hls/${lowest.name}`,
    making,
  });
}

async function measuredSegments(
  folder: string,
  place: string,
  { prefix, making, early }: { prefix: string; making: string; early: EarlyPlayback | null },
): Promise<(Segment & Measured)[]> {
  const playlist = await readFile(join(folder, place, 'index.m3u8'), 'utf8').catch(() => null);
  if (playlist === null) throw new CannotProcess('A rung of the ladder came out empty.');
  if (!playlist.includes('#EXT-X-ENDLIST')) throw diskRefused();
  const segments = segmentsIn(playlist);
  if (segments.length === 0) throw new CannotProcess('A rung of the ladder came out empty.');
  const measured: (Segment & Measured)[] = [];
  for (const segment of segments) {
    const published = early?.published.get(`${prefix}/hls/${place}/${publishedName(segment.name, making)}`);
    measured.push({ ...segment, ...(published ?? (await measureSegment(join(folder, place, segment.name)))) });
  }
  return measured;
}

/** Returns the bandwidth of the picture alone; null where its fragments are not apart after all. */
function ofFirstFragments(segments: readonly (Segment & Measured)[]) {
  const parts = segments.flatMap(({ seconds, pictureBytes }) =>
    pictureBytes ? [{ seconds, bytes: pictureBytes }] : [],
  );
  const areApart = segments.every(({ pictureBytes }) => pictureBytes !== null);
  return areApart && parts.length > 0 ? bandwidthOf(parts) : null;
}

const timeoutFor = (seconds: number) => Math.min(Math.max(900, seconds * 60), 22 * 3_600) * 1000;
