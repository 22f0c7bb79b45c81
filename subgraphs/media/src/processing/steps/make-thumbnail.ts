import { extname, join } from 'node:path';

import type { Attempt } from '@foyer/shared/jobs/job';

import { CannotPreview } from '#ports/previewer.ts';
import { CannotRead } from '#ports/transcoder.ts';
import type { ProcessingData } from '../jobs.ts';
import { thumbnailKey } from '../../storage/media-keys.ts';
import { findEndOfDocument } from './document-end.ts';
import { drawFrame } from './draw-frame.ts';
import { describeFile } from './describe-file.ts';
import type { Streams } from './streams.ts';
import { runStep } from '../run-step.ts';
import type { Needs, Outcome, Task } from '../task.ts';

/** Step 4: makes a JPEG preview. A file that can't be drawn is no failure. */
export const makeMediaThumbnail = (needs: Needs, data: ProcessingData, attempt: Attempt) =>
  runStep(needs, 'thumbnail', data, attempt, async (task) => {
    await warnOfEnd(needs, task);
    try {
      return await draw(needs, task);
    } catch (error) {
      if (task.signal.aborted || !(error instanceof CannotRead || error instanceof CannotPreview)) throw error;
      return { facts: { skipped: error.message } };
    }
  });

/** Steps before this one have looked at videos and sounds. */
async function warnOfEnd({ store }: Needs, { media, warn }: Task): Promise<void> {
  if (media.mediaType === 'video' || media.mediaType === 'audio') return;
  const warning = await findEndOfDocument(store, media.storageKey);
  if (warning) warn(warning);
}

async function draw(needs: Needs, task: Task): Promise<Outcome> {
  const { media, folder, signal } = task;
  const kind = drawable(media);
  if (!kind) return { facts: { skipped: 'no preview of this type' } };

  const file = join(folder, `source${extname(media.storageKey).toLowerCase()}`);
  const preview = join(folder, 'thumbnail.jpg');
  await needs.store.fetch(media.storageKey, file);
  const size = kind === 'image' ? await needs.previewer.ofImage(file, preview, signal) : {};
  if (kind === 'pdf') await needs.previewer.ofPdf(file, preview, signal);
  if (kind === 'slides') await needs.previewer.ofSlides(file, preview, { folder, signal });
  if (kind === 'video') {
    const { isInterlaced, streams } = await describeFile(needs, media, { file, signal });
    await drawOneOf(needs, [frameAt(media.duration ?? 0), 0], { file, streams, preview }, { isInterlaced, signal });
  }

  const key = thumbnailKey(media);
  await task.store(key, { file: preview });
  return { data: { thumbnailKey: key, ...size } };
}

const slides = /^application\/vnd\.(ms-powerpoint|oasis\.opendocument\.presentation|openxmlformats-.*presentation)/;

function drawable({ mediaType, mimeType, fileName }: Task['media']): 'video' | 'image' | 'pdf' | 'slides' | null {
  if (mediaType === 'video' || mediaType === 'image') return mediaType;
  if (mimeType === 'application/pdf' || /\.pdf$/i.test(fileName)) return 'pdf';
  return slides.test(mimeType) || /\.(pptx?|odp)$/i.test(fileName) ? 'slides' : null;
}

/**
 * Returns the moment that a preview shows: at 10 percent, at least 1 second and within the first 3 seconds.
 *
 * @param duration in seconds
 * @returns seconds; the middle of a film that is too short for that
 */
export function frameAt(duration: number): number {
  const second = Math.min(Math.max(0.1 * duration, 1), 3);
  return second < duration ? second : duration / 2;
}

/** Draws the first of these moments that there is. */
async function drawOneOf(
  needs: Needs,
  moments: readonly number[],
  files: { file: string; streams: Streams; preview: string },
  about: { isInterlaced: boolean | undefined; signal: AbortSignal },
) {
  for (const moment of moments) if (await drawFrame(needs, files, { moment, ...about })) return;
  throw new CannotRead('no frame could be taken');
}
