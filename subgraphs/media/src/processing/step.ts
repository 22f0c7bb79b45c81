import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import type { Media as MediaRow, Prisma, ProcessingStep, Rendition } from '@foyer/prisma/client';
import type { MediaTransaction } from '@foyer/prisma/media';
import type { Attempt } from '@foyer/shared/jobs/job';

import { CannotRead } from '#ports/transcoder.ts';
import type { Services } from '../context.ts';
import { databaseTime } from '../database-time.ts';
import { claimKeys, LONG } from '../objects/claim-keys.ts';
import { recordObjects } from '../objects/record-objects.ts';
import { removeObjects } from '../objects/remove-objects.ts';
import { isStoreFailure } from '../storage/store-failure.ts';
import { claimStep } from './claim-step.ts';
import { CANCELLED, giveUp } from './give-up.ts';
import { enqueueStep } from './enqueue-step.ts';
import type { ProcessingData } from './jobs.ts';
import { planOf, progressOf, stageOf, stepAfter } from './plan.ts';
import { warningsAfter, type MediaWarning } from './warnings.ts';
import { waitForStore } from './wait-for-store.ts';

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
  /** Adds a warning to the media item when the step ends; one of each code. */
  warn(warning: MediaWarning): void;
  /** The column `warnings` with those of this attempt, for steps that write before they end. */
  warnings(): Prisma.InputJsonValue;
  /** Whether no further attempt follows. */
  last: boolean;
  /**
   * Writes to the row at once, while this attempt holds the claim.
   *
   * @param also what to write in the same transaction
   * @throws {Superseded}
   */
  write(data: Prisma.MediaUncheckedUpdateManyInput, also?: (tx: MediaTransaction) => Promise<void>): Promise<void>;
  /** Checks in a transaction that this attempt holds the claim, and locks the row. @throws {Superseded} */
  hold(tx: MediaTransaction): Promise<void>;
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
  /** The step had nothing to do, so what it warned of before stays true. */
  keepsWarnings?: boolean;
}

/** The file can't be processed: retrying won't help. The message is shown to people. */
export class CannotProcess extends Error {
  override readonly name = 'CannotProcess';
}

/** Another attempt, a new run or a deletion has taken the media item from this attempt. */
class Superseded extends Error {
  override readonly name = 'Superseded';
}

/** The run was cancelled: its attempt cleans up and ends. */
class Cancelled extends Error {
  override readonly name = 'Cancelled';
}

/**
 * How often one step is attempted, whatever ends the attempts: also a file that crashes the process each time. That is
 * rare, and other reasons end processes often, so there are many; pauses between them grow (claim-step.ts).
 */
const MAX_ATTEMPTS = 40;

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

interface ClaimedStep {
  mediaId: number;
  run: number;
  attempt: Attempt;
  folder: string;
}

async function openTask(needs: Needs, step: ProcessingStep, { mediaId, run, attempt, folder }: ClaimedStep) {
  const { db, processingRules } = needs;
  const { transcodingProfile, ...row } = await db.media.findUniqueOrThrow({
    where: { id: mediaId },
    include: { transcodingProfile: { include: { renditions: { orderBy: { height: 'desc' } } } } },
  });
  const media: MediaInWork = { ...row, renditions: transcodingProfile?.renditions ?? [] };
  const plan = planOf({ mediaType: media.mediaType, hasLadder: media.ownFolder && media.renditions.length > 0 });
  const claimed = { id: mediaId, run, attemptId: attempt.id };
  const taken = new AbortController();
  let fraction = 0;
  const found: MediaWarning[] = [];

  if (!media.objectsRecorded) await recordObjects(needs, media);

  const fenced: Fenced = async (tx, data) => {
    const [row] = await tx.media.updateManyAndReturn({
      where: claimed,
      data: { ...data, attemptSeenAt: await databaseTime(tx) },
      select: { cancelledRun: true },
    });
    checkHeld(row, run);
  };
  const write: Task['write'] = (data, also) => {
    if (!also) return fenced(db, data);
    return db.$transaction(async (tx) => {
      await fenced(tx, data);
      await also(tx);
    }, LONG);
  };
  const timer = setInterval(() => {
    write({ progress: progressOf(plan, step, fraction) }).catch((error: unknown) => {
      // A database that fails for a moment is no reason to stop.
      if (error instanceof Superseded || error instanceof Cancelled) taken.abort(error);
    });
  }, processingRules.beatMs);

  return {
    media,
    plan,
    folder,
    signal: AbortSignal.any([attempt.signal, taken.signal]),
    report: (done: number) => void (fraction = done),
    warn: (warning: MediaWarning) => void found.push(warning),
    warnings: () => warningsAfter(media.warnings, step, found),
    write,
    hold: (tx: MediaTransaction) => fenced(tx, {}),
    ...storing(needs, { mediaId, fenced }),
    claimed,
    tries: row.tries,
    last: attempt.last || row.tries >= MAX_ATTEMPTS,
    close: () => clearInterval(timer),
  };
}

type OpenTask = Awaited<ReturnType<typeof openTask>>;

/** @throws {Superseded} when the fence let nothing through, {Cancelled} when the run was cancelled */
function checkHeld(row: Pick<MediaRow, 'cancelledRun'> | undefined, run: number): void {
  if (!row) throw new Superseded();
  if (row.cancelledRun === run) throw new Cancelled();
}

/** Writes while the attempt holds the claim. @throws {Superseded} */
type Fenced = (
  tx: Pick<MediaTransaction, 'media' | '$queryRaw'>,
  data: Prisma.MediaUncheckedUpdateManyInput,
) => Promise<void>;

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
