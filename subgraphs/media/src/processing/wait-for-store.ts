import type { ProcessingStep } from '@foyer/prisma/client';

import type { Services } from '../context.ts';
import type { Claimed } from './give-up.ts';
import { enqueueStep } from './enqueue-step.ts';

type Needs = Pick<Services, 'db' | 'jobs' | 'clock' | 'log'>;

interface Failure {
  error: unknown;
  /** How often this step has waited in a row. */
  waits: number;
}

/** The first pause, which doubles each time, and the longest. */
const PAUSE_SECONDS = 2;
const LONGEST_PAUSE_SECONDS = 60;

/** Returns when to try again after so many waits in a row. */
export function afterPause({ clock }: Pick<Services, 'clock'>, waits: number): Date {
  const pause = Math.min(PAUSE_SECONDS * 2 ** Math.min(waits, 10), LONGEST_PAUSE_SECONDS);
  return new Date(clock.now().getTime() + pause * 1000);
}

/**
 * Enqueues a step again that failed because the store is full, read-only or away, which is not the file's fault. The
 * attempt does not count, so a step waits as long as it takes, in its stage.
 */
export async function waitForStore(
  { db, jobs, clock, log }: Needs,
  step: ProcessingStep,
  claimed: Claimed,
  { error, waits }: Failure,
): Promise<void> {
  const { id: mediaId, run } = claimed;
  const startAfter = afterPause({ clock }, waits);
  await db.$transaction(async (tx) => {
    const data = { attemptId: null, tries: { decrement: 1 } };
    const { count } = await tx.media.updateMany({ where: claimed, data });
    if (count > 0) await enqueueStep({ jobs }, tx, step, { mediaId, run, waits: waits + 1 }, { startAfter });
  });
  log.warn({ mediaId, step, err: error, startAfter }, 'processing waits for the store');
}
