import { readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import type { Services } from '../../context.ts';
import type { VideoStream } from './streams.ts';
import { isWoven } from './weave.ts';

interface Source {
  file: string;
  video: VideoStream;
  signal: AbortSignal;
}

type Needs = Pick<Services, 'transcoder'>;

/** Finds out whether the frames of a video are woven of two fields each: it says so, or its pixels show it. */
export async function findInterlacing(needs: Needs, source: Source): Promise<boolean> {
  const { video } = source;
  return saysInterlaced(video) || (mayBeInterlaced(video) && (await looksInterlaced(needs, source)));
}

const saysInterlaced = ({ fieldOrder }: VideoStream) => fieldOrder !== null && fieldOrder !== 'progressive';

/** Codecs that can be interlaced and may not say so, or claim that they are not. */
const silentCodecs = new Set(
  'h264 mpeg1video mpeg2video mpeg4 msmpeg4v3 wmv3 vc1 mjpeg prores dnxhd dvvideo ffv1 huffyuv ffvhuff utvideo rawvideo v210 jpeg2000 cfhd'.split(
    ' ',
  ),
);
const LEAST_HEIGHT = 288;
const MOST_HEIGHT = 1088;

const MOST_FRAMES_PER_SECOND = 30;

const mayBeInterlaced = ({ codec, codedSize: { height }, framesPerSecond }: VideoStream) =>
  silentCodecs.has(codec ?? '') &&
  height > LEAST_HEIGHT &&
  height <= MOST_HEIGHT &&
  (framesPerSecond ?? 0) <= MOST_FRAMES_PER_SECOND;

const SAMPLE_FRAMES = 24;
const FEWEST_DECIDED_FRAMES = 8;
const LEAST_SHARE = 0.9;
const COMPARED_FRAMES = 9;

/** Asks ffmpeg's detector about a sample of the frames. Fine moving patterns deceive it, so its finding is confirmed. */
async function looksInterlaced(needs: Needs, source: Source): Promise<boolean> {
  if (!(await needs.transcoder.filters()).has('idet')) return false;
  const said = await readSample(needs, source, ['-vf', 'idet', '-frames:v', String(SAMPLE_FRAMES), '-f', 'null', '-']);
  const [, top = 0, bottom = 0, progressive = 0] = (
    /Multi frame detection: TFF: *(\d+) *BFF: *(\d+) *Progressive: *(\d+)/.exec(said) ?? []
  ).map(Number);
  const [interlaced, decided] = [top + bottom, top + bottom + progressive];
  const isSuspect = decided >= FEWEST_DECIDED_FRAMES && interlaced >= LEAST_SHARE * decided;
  return isSuspect && confirmInterlaced(needs, source);
}

async function confirmInterlaced(needs: Needs, source: Source): Promise<boolean> {
  const frames = join(dirname(source.file), 'sample.gray');
  const { width, height } = source.video.codedSize;
  const output = ['-frames:v', String(COMPARED_FRAMES), '-pix_fmt', 'gray', '-f', 'rawvideo', frames];
  await readSample(needs, source, ['-vf', `scale=${width}:${height}`, ...output]);
  const pixels = await readFile(frames);
  await rm(frames);
  return isWoven({ pixels, width, height });
}

/** Reads some frames with their lines as they are coded: not turned. */
function readSample({ transcoder }: Needs, { file, video, signal }: Source, after: readonly string[]): Promise<string> {
  const from = Math.max(0, (video.duration ?? 0) * 0.25);
  // From the key frame before: what comes until then would be decoded for nothing.
  const before = ['-noautorotate', '-noaccurate_seek', '-ss', from.toFixed(3)];
  return transcoder.convert(
    { input: file, before, after: ['-map', `0:${video.index}`, ...after] },
    { signal, timeoutMs: 120_000 },
  );
}
