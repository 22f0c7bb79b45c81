import type { Media, MediaPriority, ProcessingStep } from '@foyer/prisma/client';
import type { MediaTransaction } from '@foyer/prisma/media';

import type { Services } from '../context.ts';
import { jobOf, type ProcessingData } from './jobs.ts';
import { unfinished } from './plan.ts';
import { asUrgent, placeInQueue } from './priority.ts';

type Needs = Pick<Services, 'jobs'>;

/** Enqueues a step of a media item at the item's place in the queue. */
export async function enqueueStep(
  { jobs }: Needs,
  tx: MediaTransaction,
  step: ProcessingStep,
  data: ProcessingData,
  { startAfter }: { startAfter?: Date } = {},
): Promise<void> {
  const row = await tx.media.findUnique({ where: { id: data.mediaId }, select: { queuePlace: true } });
  const place = { priority: row?.queuePlace ?? 0, singletonKey: keyOf(data.mediaId) };
  await jobs.enqueue(jobOf[step], data, { within: tx, ...place, ...(startAfter && { startAfter }) });
}

/** The items and runs whose step waits in the queue, of these items. */
export const findWaiting = ({ jobs }: Needs, step: ProcessingStep, mediaIds: readonly number[]) =>
  jobs.waitingWith(jobOf[step], mediaIds.map(keyOf));

type Placed = Pick<Media, 'id' | 'run' | 'organizationId' | 'priority'>;

/** Gives a media item its place in the queue, and enqueues the first step of its run. */
export async function enqueueRun(needs: Needs, tx: MediaTransaction, media: Placed): Promise<void> {
  await tx.media.update({ where: { id: media.id }, data: { queuePlace: await placeOf(tx, media) } });
  await enqueueStep(needs, tx, 'move', { mediaId: media.id, run: media.run });
}

/** Changes the priority of a media item, also of a step that is waiting in the queue. */
export async function reprioritize(
  { jobs }: Needs,
  tx: MediaTransaction,
  media: Placed,
  priority: MediaPriority,
): Promise<Media> {
  const queuePlace = await placeOf(tx, { ...media, priority });
  const row = await tx.media.update({ where: { id: media.id }, data: { priority, queuePlace } });
  for (const job of Object.values(jobOf))
    await jobs.prioritize(job, keyOf(media.id), { priority: queuePlace, within: tx });
  return row;
}

/** Several jobs may wait with this key: of an attempt that died, and of the one that takes its place. */
const keyOf = (mediaId: number) => `media-${mediaId}`;

async function placeOf(tx: MediaTransaction, { id, organizationId, priority }: Omit<Placed, 'run'>): Promise<number> {
  const ahead = await tx.media.count({
    where: {
      organizationId,
      id: { not: id },
      transcodingStage: { in: unfinished },
      priority: { in: asUrgent[priority] },
    },
  });
  return placeInQueue(priority, ahead);
}
