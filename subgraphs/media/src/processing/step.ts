import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import type { Media as MediaRow, Prisma, ProcessingStep, Rendition } from '@foyer/prisma/client';
import type { MediaTransaction } from '@foyer/prisma/media';
import type { Attempt } from '@foyer/shared/jobs/job';

import { CannotRead } from '#ports/transcoder.ts';
import type { Services } from '../context.ts';
import { claimKeys, LONG } from '../objects/claim-keys.ts';
import { recordObjects } from '../objects/record-objects.ts';
import { removeObjects } from '../objects/remove-objects.ts';
import { claimStep } from './claim-step.ts';
import { jobOf, type ProcessingData } from './jobs.ts';
import { removeLadder } from './remove-ladder.ts';
import { planOf, progressOf, stageOf, stepAfter } from './plan.ts';

export type Needs = Omit<Services, 'permissions' | 'uploadRules' | 'links' | 'events'>;

type MediaInWork = MediaRow & { renditions: Rendition[] };

/** What a step works with. */
export interface Task {
  media: MediaInWork;
  /** A folder of this attempt alone: an earlier attempt that still runs can't touch its files. */
  folder: string;
  /** Aborts when the attempt is over, or another attempt has taken its place. */
  signal: AbortSignal;
  /** Reports the progress of the step, 0 to 1. */
  report(fraction: number): void;
  /** Whether no further attempt follows. */
  last: boolean;
  /** Writes to the row at once, while this attempt holds the claim. @throws {Superseded} */
  write(data: Prisma.MediaUncheckedUpdateManyInput): Promise<void>;
  /**
   * Claims keys for the media item while this attempt holds it, and writes as `write` does in the same transaction.
   *
   * @throws {KeyTaken} when one of them belongs to another item
   * @throws {Superseded}
   */
  claim(keys: readonly string[], data?: Prisma.MediaUncheckedUpdateManyInput): Promise<void>;
  /** Stores a result under a key, which is claimed first unless it is already. */
  store(key: string, content: { file: string } | { bytes: Buffer }): Promise<void>;
}

export interface Outcome {
  data?: Prisma.MediaUncheckedUpdateManyInput;
  /** Details for the checkpoint, for people who investigate. */
  facts?: Prisma.InputJsonObject;
}

/** The file can't be processed: retrying won't help. The message is shown to people. */
export class CannotProcess extends Error {
  override readonly name = 'CannotProcess';
}

/** Another attempt, a new run or a deletion has taken the media item from this attempt. */
class Superseded extends Error {
  override readonly name = 'Superseded';
}

/** How often one step is attempted, whatever ends the attempts: also a file that crashes the process each time. */
const MAX_ATTEMPTS = 10;

/**
 * Runs one step of processing: claims the media item, works, and commits the result together with the checkpoint and the
 * job of the next step. Only the newest attempt may write. It does nothing when the step is done or another attempt runs.
 */
export async function runStep(
  needs: Needs,
  step: ProcessingStep,
  { mediaId, run }: ProcessingData,
  attempt: Attempt,
  work: (task: Task) => Promise<Outcome>,
): Promise<void> {
  if (!(await claimStep(needs, step, { mediaId, run, attemptId: attempt.id }))) return;

  const folder = join(needs.processingRules.scratch, `${mediaId}-${attempt.id.replaceAll(/[^\w-]/g, '-')}`);
  await mkdir(folder, { recursive: true });
  const task = await openTask(needs, step, { mediaId, run, attempt, folder });
  try {
    if (task.tries > MAX_ATTEMPTS) throw new CannotProcess(`${step} was interrupted ${MAX_ATTEMPTS} times.`);
    await commit(needs, step, task, await work(task));
  } catch (error) {
    await fail(needs, step, task, error);
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
  const final = error instanceof CannotProcess || error instanceof CannotRead;
  const stopping = task.signal.aborted;
  if (!stopping && (final || task.last)) {
    await giveUp(needs, task, final ? error.message : `${step} failed`);
    return log.warn({ ...about, err: error }, 'a media item can not be processed');
  }
  await release(needs, task, stopping);
  throw error;
}

interface ClaimedStep {
  mediaId: number;
  run: number;
  attempt: Attempt;
  folder: string;
}

async function openTask(needs: Needs, step: ProcessingStep, { mediaId, run, attempt, folder }: ClaimedStep) {
  const { db, clock, processingRules } = needs;
  const { transcodingProfile, ...row } = await db.media.findUniqueOrThrow({
    where: { id: mediaId },
    include: { transcodingProfile: { include: { renditions: { orderBy: { height: 'desc' } } } } },
  });
  const media: MediaInWork = { ...row, renditions: transcodingProfile?.renditions ?? [] };
  const plan = planOf({ mediaType: media.mediaType, hasLadder: media.ownFolder && media.renditions.length > 0 });
  const superseded = new AbortController();
  let fraction = 0;

  if (!media.objectsRecorded) await recordObjects(needs, media);

  const fenced: Fenced = async (tx, data) => {
    const written = await tx.media.updateMany({
      where: { id: mediaId, run, attemptId: attempt.id },
      data: { ...data, attemptSeenAt: clock.now() },
    });
    if (written.count === 0) throw new Superseded();
  };
  const write = (data: Prisma.MediaUncheckedUpdateManyInput) => fenced(db, data);
  const timer = setInterval(() => {
    write({ progress: progressOf(plan, step, fraction) }).catch((error: unknown) => {
      if (error instanceof Superseded) superseded.abort(error); // a database that fails for a moment is no reason to stop
    });
  }, processingRules.beatMs);

  return {
    media,
    plan,
    folder,
    signal: AbortSignal.any([attempt.signal, superseded.signal]),
    report: (done: number) => void (fraction = done),
    write,
    ...storing(needs, { mediaId, fenced }),
    attemptId: attempt.id,
    tries: row.tries,
    last: attempt.last || row.tries >= MAX_ATTEMPTS,
    close: () => clearInterval(timer),
  };
}

type OpenTask = Awaited<ReturnType<typeof openTask>>;

/** Writes while the attempt holds the claim. @throws {Superseded} */
type Fenced = (tx: Pick<MediaTransaction, 'media'>, data: Prisma.MediaUncheckedUpdateManyInput) => Promise<void>;

/** Claims keys and stores objects, and can remove them again should the media item be deleted meanwhile. */
function storing({ db, store }: Needs, { mediaId, fenced }: { mediaId: number; fenced: Fenced }) {
  const owned = new Set<string>();
  const claim: Task['claim'] = async (keys, data = {}) => {
    await db.$transaction(async (tx) => {
      await fenced(tx, data); // locks the row: a deletion finds all keys, or the attempt finds no row
      await claimKeys(tx, mediaId, keys);
    }, LONG);
    for (const key of keys) owned.add(key);
  };
  return {
    claim,
    async store(key: string, content: { file: string } | { bytes: Buffer }) {
      if (!owned.has(key)) await claim([key]);
      await ('file' in content ? store.putFile(key, content.file) : store.put(key, content.bytes));
    },
    tidyUp: async () => {
      if (owned.size > 0) await removeObjects({ db, store }, { mediaId, release: false });
    },
  };
}

async function commit({ db, jobs }: Needs, step: ProcessingStep, task: OpenTask, { data = {}, facts = {} }: Outcome) {
  const { media, plan, attemptId } = task;
  const next = stepAfter(plan, step);
  await db.$transaction(async (tx) => {
    const written = await tx.media.updateMany({
      where: { id: media.id, run: media.run, attemptId },
      data: {
        ...data,
        attemptId: null,
        tries: 0,
        progress: next ? progressOf(plan, step, 1) : 100,
        transcodingStage: next ? stageOf[next] : 'done',
      },
    });
    if (written.count === 0) throw new Superseded();
    await tx.processingCheckpoint.create({ data: { mediaId: media.id, run: media.run, step, facts } });
    if (next) await jobs.enqueue(jobOf[next], { mediaId: media.id, run: media.run }, { within: tx });
  });
}

/** Marks the item as failed, its status too when the file never got to its final place; removes an incomplete ladder. */
async function giveUp({ db, store, clock }: Needs, { media, attemptId }: OpenTask, reason: string) {
  const mine = { id: media.id, run: media.run, attemptId };
  const { count } = await db.media.updateMany({ where: mine, data: { attemptSeenAt: clock.now() } });
  if (count === 0) return; // another attempt holds it, and the objects are that one's
  if (!media.manifestKey) await removeLadder({ db, store }, media);
  await db.media.updateMany({
    where: mine,
    data: {
      attemptId: null,
      tries: 0,
      transcodingStage: 'failed',
      failureReason: reason,
      ...(media.status === 'processing' && { status: 'failed' as const }),
    },
  });
}

/** Releases the claim, so that the next attempt can begin at once. An attempt that ends because its process stops does not count. */
async function release({ db }: Needs, { media, attemptId }: OpenTask, stopping: boolean) {
  const data = { attemptId: null, ...(stopping && { tries: { decrement: 1 } }) };
  await db.media.updateMany({ where: { id: media.id, run: media.run, attemptId }, data });
}
