import { stat } from 'node:fs/promises';

import { CannotRead } from '#ports/transcoder.ts';
import type { Services } from '../../context.ts';
import { readPicture } from './read-picture.ts';
import type { Streams } from './streams.ts';

interface Frame {
  /** In seconds. */
  moment: number;
  /** Undefined where nobody has looked yet. */
  isInterlaced: boolean | undefined;
  signal: AbortSignal;
}

/**
 * Draws one frame of a video as a JPEG preview: in square pixels, in the colors of SDR.
 *
 * @returns whether there is a frame: past the end of the video there is none
 * @throws {CannotRead}
 */
export async function drawFrame(
  { transcoder }: Pick<Services, 'transcoder'>,
  { file, streams: { video }, preview }: { file: string; streams: Pick<Streams, 'video'>; preview: string },
  { moment, isInterlaced, signal }: Frame,
): Promise<boolean> {
  const options = { signal, timeoutMs: 60_000 };
  if (!video) throw new CannotRead('There is no video in this file.');
  const size = previewSize(video);
  // One frame has no rate.
  const still = { ...video, framesPerSecond: video.framesPerSecond ?? 1, isVariableRate: false };
  const about = { file, video: still, isInterlaced, largest: size, signal };
  const { before, filters, matrix } = await readPicture({ transcoder }, about);
  // JPEG has the colors of SD, in the full range.
  const scaled = `scale=${size.width}:${size.height}:in_color_matrix=${matrix}:out_color_matrix=bt601:out_range=pc`;
  const chain = [...(filters === '' ? [] : [filters]), scaled, 'setsar=1', 'format=yuvj420p'].join(',');
  const after = ['-map', `0:${video.index}`, '-frames:v', '1', '-vf', chain, '-q:v', '3', preview];
  await transcoder.convert({ input: file, before: [...before, '-ss', String(moment)], after }, options);
  // ffmpeg succeeds past the end and writes nothing.
  return ((await stat(preview).catch(() => null))?.size ?? 0) > 0;
}

const MOST_WIDTH = 640;

/** Returns the size of a preview, in the aspect ratio as displayed. */
function previewSize({ width, height }: { width: number; height: number }) {
  const scale = Math.min(1, MOST_WIDTH / Math.max(width, 1));
  const even = (pixels: number) => Math.max(2, Math.round((pixels * scale) / 2) * 2);
  return { width: even(width), height: even(height) };
}
