import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import type { Media as MediaRow, Prisma, ProcessingStep, Rendition } from '@foyer/prisma/client';
import type { Attempt } from '@foyer/shared/jobs';

import { CannotRead } from '#ports/transcoder.ts';
import type { House } from '../context.ts';
import { jobOf, type ProcessingData } from './jobs.ts';
import { planOf, progressOf, stageOf, stepAfter } from './plan.ts';

export type Needs = Omit<House, 'permissions' | 'uploadRules' | 'links'>;

type MediaInWork = MediaRow & { renditions: Rendition[] };

/** What a step has at hand. */
export interface Task {
  media: MediaInWork;
  /** A folder of this try alone: a zombie of an earlier one can't touch its files. */
  folder: string;
  /** Aborts when the try is over, or another try has taken its place. */
  signal: AbortSignal;
  /** How far the step is, 0 to 1. */
  report(fraction: number): void;
  /** Writes at once, if this try is still the one that may. @throws {Superseded} */
  write(data: Prisma.MediaUncheckedUpdateManyInput): Promise<void>;
}

export interface Outcome {
  data?: Prisma.MediaUncheckedUpdateManyInput;
  /** For people who ask why. */
  facts?: Prisma.InputJsonObject;
}

/** The file can't be processed: trying again won't help. The message is shown to people. */
export class CannotProcess extends Error {
  override readonly name = 'CannotProcess';
}

/** Another try, a new run or a removal has taken the media away from this try. */
class Superseded extends Error {
  override readonly name = 'Superseded';
}

const BEAT_MS = 3_000;

/**
 * Does one step of processing: claims the media, works, and commits the result together with the
 * checkpoint and the job of the next step. Only the newest try may write; a step that is done is
 * not done again.
 */
export async function runStep(
  needs: Needs,
  step: ProcessingStep,
  { mediaId, run }: ProcessingData,
  attempt: Attempt,
  work: (task: Task) => Promise<Outcome>,
): Promise<void> {
  const { db, clock, log, processingRules } = needs;
  const claimed = await db.media.updateMany({
    where: { id: mediaId, run, transcodingStage: { notIn: ['done', 'failed'] }, checkpoints: { none: { run, step } } },
    data: { attemptId: attempt.id, attemptSeenAt: clock.now(), transcodingStage: stageOf[step] },
  });
  if (claimed.count === 0) return; // removed, started anew, or done by an earlier try

  const folder = join(processingRules.scratch, `${mediaId}-${attempt.id.replaceAll(/[^\w-]/g, '-')}`);
  await mkdir(folder, { recursive: true });
  const task = await openTask(needs, step, { mediaId, run, attempt, folder });
  try {
    const outcome = await work(task);
    await commit(needs, step, task, outcome);
  } catch (error) {
    if (error instanceof Superseded || task.signal.reason instanceof Superseded) {
      log.info({ mediaId, step }, 'another try goes on with it');
      return;
    }
    const final = error instanceof CannotProcess || error instanceof CannotRead;
    const stopping = task.signal.aborted;
    if (!stopping && (final || attempt.last)) await giveUp(needs, task, final ? error.message : `${step} failed`);
    if (stopping || !final) throw error;
    log.warn({ mediaId, step, reason: error.message }, 'media can not be processed');
  } finally {
    task.close();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Try {
  mediaId: number;
  run: number;
  attempt: Attempt;
  folder: string;
}

async function openTask(needs: Needs, step: ProcessingStep, { mediaId, run, attempt, folder }: Try) {
  const { db, clock, events } = needs;
  const { transcodingProfile, ...row } = await db.media.findUniqueOrThrow({
    where: { id: mediaId },
    include: { transcodingProfile: { include: { renditions: { orderBy: { height: 'desc' } } } } },
  });
  const media: MediaInWork = { ...row, renditions: transcodingProfile?.renditions ?? [] };
  const plan = planOf({ mediaType: media.mediaType, hasLadder: media.ownFolder && media.renditions.length > 0 });
  const overtaken = new AbortController();
  let fraction = 0;
  let shown = media.progress;

  const write = async (data: Prisma.MediaUncheckedUpdateManyInput) => {
    const written = await db.media.updateMany({
      where: { id: mediaId, run, attemptId: attempt.id },
      data: { ...data, attemptSeenAt: clock.now() },
    });
    if (written.count === 0) throw new Superseded();
  };
  const beat = async () => {
    const progress = progressOf(plan, step, fraction);
    await write({ progress });
    if (progress !== shown) await events.publish('media.changed', { mediaId, workspaceId: media.workspaceId });
    shown = progress;
  };
  const timer = setInterval(() => {
    beat().catch((error: unknown) => {
      if (error instanceof Superseded) overtaken.abort(error); // a database that is away for a moment is no reason
    });
  }, BEAT_MS);

  return {
    media,
    plan,
    folder,
    signal: AbortSignal.any([attempt.signal, overtaken.signal]),
    report: (done: number) => void (fraction = done),
    write,
    attemptId: attempt.id,
    close: () => clearInterval(timer),
  };
}

type OpenTask = Awaited<ReturnType<typeof openTask>>;

async function commit(
  { db, jobs, events }: Needs,
  step: ProcessingStep,
  task: OpenTask,
  { data = {}, facts = {} }: Outcome,
) {
  const { media, plan, attemptId } = task;
  const next = stepAfter(plan, step);
  await db.$transaction(async (tx) => {
    const written = await tx.media.updateMany({
      where: { id: media.id, run: media.run, attemptId },
      data: {
        ...data,
        attemptId: null,
        progress: next ? progressOf(plan, step, 1) : 100,
        transcodingStage: next ? stageOf[next] : 'done',
      },
    });
    if (written.count === 0) throw new Superseded();
    await tx.processingCheckpoint.create({ data: { mediaId: media.id, run: media.run, step, facts } });
    if (next) await jobs.enqueue(jobOf[next], { mediaId: media.id, run: media.run }, { within: tx });
  });
  await events.publish('media.changed', { mediaId: media.id, workspaceId: media.workspaceId });
}

/** The stage becomes failed; the status too, when the file never got to its place. */
async function giveUp({ db, events }: Needs, { media, attemptId }: OpenTask, reason: string) {
  await db.media.updateMany({
    where: { id: media.id, run: media.run, attemptId },
    data: {
      attemptId: null,
      transcodingStage: 'failed',
      failureReason: reason,
      ...(media.status === 'processing' && { status: 'failed' as const }),
    },
  });
  await events.publish('media.changed', { mediaId: media.id, workspaceId: media.workspaceId });
}
