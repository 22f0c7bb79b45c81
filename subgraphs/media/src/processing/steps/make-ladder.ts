import { CannotRead } from '#ports/transcoder.ts';
import { CannotProcess, type Needs, type Task } from '../task.ts';
import { rungsFor, type PictureAlone } from './ladder.ts';
import { FRAGMENT_OPTIONS } from './ladder-outputs.ts';
import { makeSegments } from './make-segments.ts';
import type { WholeLadder } from './publish-ladder.ts';
import { readPicture } from './read-picture.ts';
import { describeRenditions } from './renditions.ts';
import type { AudioStream, Streams, VideoStream } from './streams.ts';
import { convertSubtitles } from './subtitles.ts';

interface Film {
  file: string;
  streams: Streams;
  /** Undefined where nobody has looked yet. */
  isInterlaced: boolean | undefined;
  /** Of the media item's own keys. */
  prefix: string;
}

/** More tracks would cost more than a film can need. */
const MOST_SOUNDS = 16;
const MOST_SUBTITLES = 64;

/** Makes the ladder of a film in the folder of the task. Its lowest rung can be played before it is complete. */
export async function makeLadder(needs: Needs, task: Task, film: Film): Promise<WholeLadder> {
  const { video, audios } = film.streams;
  if (!video || video.width < 2 || video.height < 2) throw new CannotProcess('There is no video in this file.');
  const rungs = rungsFor(task.media.renditions, video);
  const largest = rungs[0]?.size ?? video;
  const picture = await readPicture(needs, { ...film, video, signal: task.signal, largest });
  for (const warning of picture.warnings) task.warn(warning);
  const duration = video.duration ?? film.streams.duration ?? 0;
  const plan = { ...film, videoIndex: video.index, picture, rungs, duration };

  const pictureAlone = audios.length > 1 ? await howPictureIsAlone(needs) : null;
  const sounds = chooseSounds(task, { video, audios });
  const made = await makeSegments(needs, task, { ...plan, pictureAlone, sounds }).catch((error: unknown) => {
    if (!(error instanceof CannotRead) || sounds.length < 2) throw error;
    task.warn({
      code: 'SOUND_SKIPPED',
      message: 'Only the first track of sound is in the ladder: the others can not be read.',
    });
    return makeSegments(needs, task, { ...plan, pictureAlone: null, sounds: sounds.slice(0, 1) });
  });
  const subtitles = await makeSubtitles(needs, task, { ...film, duration });
  // Undeclared colors are declared as those of SDR.
  const isSdr = !picture.colors.some((word) => ['smpte2084', 'arib-std-b67'].includes(word));
  return { ...made, subtitles, framesPerSecond: picture.framesPerSecond, isSdr, duration };
}

/** Fragments store the picture once, but an old ffmpeg can't make them. */
const howPictureIsAlone = async ({ transcoder }: Needs): Promise<PictureAlone> =>
  (await transcoder.hasHlsOption(FRAGMENT_OPTIONS)) ? 'fragment' : 'file';

function chooseSounds(task: Task, { video, audios }: { video: VideoStream; audios: AudioStream[] }) {
  if (audios.length > MOST_SOUNDS)
    task.warn({ code: 'SOUND_SKIPPED', message: `Only the first ${MOST_SOUNDS} tracks of sound are in the ladder.` });
  const chosen = audios.slice(0, MOST_SOUNDS);
  const described = describeRenditions('audio', chosen);
  return chosen.flatMap((audio, at) =>
    described[at] ? [{ index: audio.index, spansPicture: spans(audio, video), ...described[at] }] : [],
  );
}

/** Players notice no smaller difference. */
const SAME_MOMENT_SECONDS = 0.1;

function spans(audio: AudioStream, video: VideoStream): boolean {
  const isClose = (one: number, other: number) => Math.abs(one - other) <= SAME_MOMENT_SECONDS;
  if (audio.end === null || video.end === null) return false;
  return isClose(audio.startTime, video.startTime) && isClose(audio.end, video.end);
}

async function makeSubtitles(
  needs: Needs,
  { folder, signal, warn }: Task,
  { file, streams, duration }: Film & { duration: number },
) {
  const tracks = streams.subtitles.slice(0, MOST_SUBTITLES);
  const run = { signal, timeoutMs: Math.min(Math.max(300, duration), 3_600) * 1000 };
  const { subtitles, warnings } = await convertSubtitles(needs, { file, folder, tracks, run });
  if (streams.subtitles.length > MOST_SUBTITLES) warnings.push(`Only the first ${MOST_SUBTITLES} subtitles are used.`);
  if (warnings.length > 0) warn({ code: 'SUBTITLES_SKIPPED', message: warnings.join(' ') });
  const described = describeRenditions(
    'subtitles',
    subtitles.map(({ track }) => track),
  );
  return subtitles.flatMap(({ text }, at) => (described[at] ? [{ ...described[at], text }] : []));
}
