import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import type { ProcessingStep } from '@foyer/prisma/client';
import type { Attempt } from '@foyer/shared/jobs/job';

import { CannotRead } from '#ports/transcoder.ts';
import { isStoreFailure } from '../storage/store-failure.ts';
import { claimStep } from './claim-step.ts';
import { enqueueStep } from './enqueue-step.ts';
import { CANCELLED, giveUp } from './give-up.ts';
import type { ProcessingData } from './jobs.ts';
import { checkHeld, MAX_ATTEMPTS, openTask, type OpenTask } from './open-task.ts';
import { progressOf, stageOf, stepAfter } from './plan.ts';
import { Cancelled, CannotProcess, Superseded, type Needs, type Outcome, type Task } from './task.ts';
import { waitForStore } from './wait-for-store.ts';

/**
 * Runs one step of processing: claims the media item, works, and commits the result together with the checkpoint and the
 * job of the next step. Only the newest attempt may write. It does nothing when the step is done or another attempt runs.
 */
export async function runStep(
  needs: Needs,
  step: ProcessingStep,
  { mediaId, run, waits = 0 }: ProcessingData,
  attempt: Attempt,
  work: (task: Task) => Promise<Outcome>,
): Promise<void> {
  if (!(await claimStep(needs, step, { mediaId, run, attemptId: attempt.id }))) return;

  const folder = join(needs.processingRules.scratch, `${mediaId}-${attempt.id.replaceAll(/[^\w-]/g, '-')}`);
  const task = await openTask(needs, step, { mediaId, run, attempt, folder });
  try {
    checkHeld(task.media, run); // cancelled while nothing worked on it
    await mkdir(folder, { recursive: true });
    if (task.tries > MAX_ATTEMPTS) throw new CannotProcess(`${step} was interrupted ${MAX_ATTEMPTS} times.`);
    await commit(needs, step, task, await work(task));
  } catch (error) {
    if (isStoreFailure(error) && !task.signal.aborted) await waitForStore(needs, step, task.claimed, { error, waits });
    else await fail(needs, step, task, error);
  } finally {
    task.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Handles a failed attempt. @throws the error, when the queue should retry */
async function fail(needs: Needs, step: ProcessingStep, task: OpenTask, error: unknown): Promise<void> {
  const { log } = needs;
  const about = { mediaId: task.media.id, step };
  if (error instanceof Superseded || task.signal.reason instanceof Superseded) {
    log.info(about, 'another attempt continues, or the media item was deleted');
    return task.tidyUp();
  }
  if (error instanceof Cancelled || task.signal.reason instanceof Cancelled) {
    log.info(about, 'processing was cancelled');
    return giveUp(needs, task.claimed, { failureReason: CANCELLED });
  }
  const final = error instanceof CannotProcess || error instanceof CannotRead;
  const stopping = task.signal.aborted;
  if (!stopping && (final || task.last)) {
    const failureReason = final ? error.message : `${step} failed`;
    await giveUp(needs, task.claimed, { failureReason, warnings: task.warnings() });
    return log.warn({ ...about, err: error }, 'a media item can not be processed');
  }
  await release(needs, task, stopping);
  throw error;
}

/** Commits a step. A run that only moves files ends as the run before it ended. */
async function commit({ db, jobs }: Needs, step: ProcessingStep, task: OpenTask, outcome: Outcome) {
  const { media, plan, claimed } = task;
  const { facts = {}, keepsWarnings = false } = outcome;
  const data = { ...(!keepsWarnings && { warnings: task.warnings() }), ...outcome.data };
  const { id: mediaId, run } = claimed;
  const ending = media.failureReason === null ? { transcodingStage: 'done' as const, progress: 100 } : failedAgain;
  await db.$transaction(async (tx) => {
    const done = await tx.processingCheckpoint.findMany({ where: { mediaId, run }, select: { step: true } });
    const next = stepAfter(plan, step, new Set(done.map((checkpoint) => checkpoint.step)));
    const stage = next ? { transcodingStage: stageOf[next], progress: progressOf(plan, step, 1) } : ending;
    const [row] = await tx.media.updateManyAndReturn({
      where: claimed,
      data: { ...data, ...stage, attemptId: null, tries: 0 },
      select: { cancelledRun: true },
    });
    checkHeld(row, run);
    await tx.processingCheckpoint.create({ data: { mediaId, run, step, facts } });
    if (next) await enqueueStep({ jobs }, tx, next, { mediaId, run });
  });
}

const failedAgain = { transcodingStage: 'failed' as const };

/** Releases the claim, so that the next attempt can begin at once. An attempt that ends because its process stops does not count. */
async function release({ db }: Needs, { claimed }: OpenTask, stopping: boolean) {
  const data = { attemptId: null, ...(stopping && { tries: { decrement: 1 } }) };
  await db.media.updateMany({ where: claimed, data });
}
