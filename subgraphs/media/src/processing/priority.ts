import type { MediaPriority } from '@foyer/prisma/client';

/** The priorities whose items come before an item of the same organization, or with it. */
export const asUrgent: Record<MediaPriority, MediaPriority[]> = {
  HIGH: ['HIGH'],
  NORMAL: ['HIGH', 'NORMAL'],
  LOW: ['HIGH', 'NORMAL', 'LOW'],
};

/** Further items of one organization share the last place. */
const PLACES = 1_000;

/**
 * Returns the place of an item in the queue; larger numbers come first, equal ones in the order of their arrival.
 * Organizations take turns: the second item of one comes after the first of every other. So nobody is held up by a large
 * upload of others, and a high priority is one among the items of the same organization. Low priority comes after the
 * rest of all.
 *
 * @param ahead how many items of the same organization, at least as urgent, are being processed or waiting
 */
export function placeInQueue(priority: MediaPriority, ahead: number): number {
  const turn = -Math.min(ahead, PLACES - 1);
  if (priority === 'HIGH') return turn + 1;
  return priority === 'LOW' ? turn - PLACES : turn;
}
