import { mkdir, rm } from 'node:fs/promises';
import { extname, join } from 'node:path';

import type { Media } from '@foyer/prisma/client';
import { defineJob, type Attempt } from '@foyer/shared/jobs/job';
import { z } from 'zod';

import { ObjectMissing } from '#ports/object-store.ts';
import { CannotRead } from '#ports/transcoder.ts';
import type { Services } from '../context.ts';
import { claimKeys } from '../objects/claim-keys.ts';
import { describeFile } from '../processing/steps/describe-file.ts';
import { isStoreFailure } from '../storage/store-failure.ts';
import { afterPause } from '../processing/wait-for-store.ts';
import { drawFrame } from '../processing/steps/draw-frame.ts';
import { removeUnnamedPosters } from './remove-unnamed-posters.ts';

/** What a preview shows: a moment of the video, or an image. */
const PosterChoice = z.union([z.object({ atSeconds: z.number() }), z.object({ imageId: z.number().int() })]);
export type PosterChoice = z.output<typeof PosterChoice>;

const PosterData = z.object({
  mediaId: z.number().int(),
  /** The key of the preview: it names the choice, and no other has it. */
  key: z.string(),
  choice: PosterChoice,
  /** How often it was enqueued again in a row. */
  waits: z.number().int().optional(),
});
type PosterData = z.output<typeof PosterData>;

/** Enqueued in the transaction that records the choice. */
export const drawPosterJob = defineJob({
  name: 'media.draw-poster',
  data: PosterData,
  retries: 8,
  retryDelaySeconds: 2,
  retryDelayMaxSeconds: 120,
  expireSeconds: 3_600,
});

type Needs = Pick<Services, 'db' | 'store' | 'transcoder' | 'processingRules' | 'jobs' | 'clock' | 'log'>;

/**
 * Draws the preview that an editor chose, and removes the one before it. It may be killed anywhere and run again; it
 * does nothing for a choice that is not the latest any more. While the store can't be used it waits, as long as it takes,
 * and when the process stops in the last attempt it begins anew.
 *
 * @throws whatever may be temporary, so that the queue tries again
 */
export async function drawPoster(needs: Needs, data: PosterData, attempt: Attempt): Promise<void> {
  const { db, log } = needs;
  const { mediaId, key, choice } = data;
  const latest = { id: mediaId, posterRequest: key };
  try {
    if (await claim(needs, latest)) {
      const media = await db.media.findUniqueOrThrow({ where: { id: mediaId } });
      await draw(needs, { media, key, choice }, attempt);
      await db.media.updateMany({ where: latest, data: { posterKey: key, posterRequest: null } });
    }
  } catch (error) {
    const { aborted } = attempt.signal;
    if (aborted ? attempt.last : isStoreFailure(error)) return enqueueAgain(needs, data, error);
    const isFinal = error instanceof CannotRead;
    if (aborted || !(isFinal || attempt.last)) throw error;
    const posterFailure = isFinal ? error.message : 'The preview could not be drawn.';
    await db.media.updateMany({ where: latest, data: { posterRequest: null, posterFailure } });
    log.warn({ mediaId, err: error }, 'a chosen preview can not be drawn');
  }
  await removeUnnamedPosters(needs, { mediaId, key });
}

/**
 * Enqueues the job again, with all its attempts: that the store is full, read-only or away, or that the process stops in
 * the last attempt, is no fault of the choice.
 */
async function enqueueAgain({ db, jobs, clock, log }: Needs, data: PosterData, error: unknown): Promise<void> {
  const { mediaId, key, waits = 0 } = data;
  const startAfter = afterPause({ clock }, waits);
  await db.$transaction(async (tx) => {
    if ((await tx.media.count({ where: { id: mediaId, posterRequest: key } })) === 0) return;
    await jobs.enqueue(drawPosterJob, { ...data, waits: waits + 1 }, { within: tx, startAfter });
  });
  log.warn({ mediaId, err: error, startAfter }, 'a chosen preview will be drawn later');
}

/** Records the key as one of the item's. @returns false when another choice was made, or the item was deleted */
const claim = ({ db }: Needs, { id, posterRequest }: { id: number; posterRequest: string }): Promise<boolean> =>
  db.$transaction(async (tx) => {
    const rows = await tx.$queryRaw<object[]>`
      SELECT 1 FROM media.media WHERE id = ${id} AND poster_request = ${posterRequest} FOR UPDATE`;
    if (rows.length > 0) await claimKeys(tx, id, [posterRequest]);
    return rows.length > 0;
  });

interface Drawing {
  media: Media;
  key: string;
  choice: PosterChoice;
}

async function draw(needs: Needs, { media, key, choice }: Drawing, { id, signal }: Attempt): Promise<void> {
  const { store, processingRules } = needs;
  if ('imageId' in choice) return copyImage(needs, { media, key, imageId: choice.imageId });
  const folder = join(processingRules.scratch, `poster-${media.id}-${id.replaceAll(/[^\w-]/g, '-')}`);
  await mkdir(folder, { recursive: true });
  try {
    const file = join(folder, `source${extname(media.storageKey).toLowerCase()}`);
    const preview = join(folder, 'poster.jpg');
    await store.fetch(media.storageKey, file);
    const { isInterlaced, streams } = await describeFile(needs, media, { file, signal });
    const frame = { moment: choice.atSeconds, isInterlaced, signal };
    const isDrawn = await drawFrame(needs, { file, streams, preview }, frame);
    if (!isDrawn) throw new CannotRead('There is no picture at this moment.');
    signal.throwIfAborted();
    await store.putFile(key, preview);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Copies the preview of an image: sizes and formats are those of every other preview. */
async function copyImage({ db, store }: Needs, about: { media: Media; key: string; imageId: number }): Promise<void> {
  const { workspaceId } = about.media;
  const image = await db.media.findUnique({ where: { id: about.imageId, workspaceId } });
  if (!image?.thumbnailKey) throw new CannotRead('The image is gone.');
  await store.copy(image.thumbnailKey, about.key).catch((error: unknown) => {
    throw error instanceof ObjectMissing ? new CannotRead('The image is gone.') : error;
  });
}
