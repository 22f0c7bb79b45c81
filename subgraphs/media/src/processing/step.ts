import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import type { Media as MediaRow, Prisma, ProcessingStep, Rendition } from '@foyer/prisma/client';
import type { MediaTransaction } from '@foyer/prisma/media';
import type { Attempt } from '@foyer/shared/jobs/jobs';

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

/** What a step has at hand. */
export interface Task {
  media: MediaInWork;
  /** A folder of this try alone: a zombie of an earlier one can't touch its files. */
  folder: string;
  /** Aborts when the try is over, or another try has taken its place. */
  signal: AbortSignal;
  /** How far the step is, 0 to 1. */
  report(fraction: number): void;
  /** No further try follows this one. */
  last: boolean;
  /** Writes at once, if this try is still the one that may. @throws {Superseded} */
  write(data: Prisma.MediaUncheckedUpdateManyInput): Promise<void>;
  /**
   * Makes keys the media's, if this try is still the one that may, and writes as `write` does in the same transaction.
   *
   * @throws {KeyTaken} when one of them is another's
   * @throws {Superseded}
   */
  claim(keys: readonly string[], data?: Prisma.MediaUncheckedUpdateManyInput): Promise<void>;
  /** Stores what was made of the media; the key is claimed, should that not have happened before. */
  store(key: string, content: { file: string } | { bytes: Buffer }): Promise<void>;
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

/** How often one step is tried, whatever ends the tries: also a file that takes the process down each time. */
const TRIES = 10;

/**
 * Does one step of processing: claims the media, works, and commits the result together with the
 * checkpoint and the job of the next step. Only the newest try may write; a step that is done is
 * not done again, nor one that another try is at.
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
    if (task.tries > TRIES) throw new CannotProcess(`${step} was interrupted ${TRIES} times.`);
    await commit(needs, step, task, await work(task));
  } catch (error) {
    await fail(needs, step, task, error);
  } finally {
    task.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** @throws what should be tried again */
async function fail(needs: Needs, step: ProcessingStep, task: OpenTask, error: unknown): Promise<void> {
  const { log } = needs;
  const about = { mediaId: task.media.id, step };
  if (error instanceof Superseded || task.signal.reason instanceof Superseded) {
    log.info(about, 'another try goes on with it, or it was removed');
    return task.tidyUp();
  }
  const final = error instanceof CannotProcess || error instanceof CannotRead;
  const stopping = task.signal.aborted;
  if (!stopping && (final || task.last)) {
    await giveUp(needs, task, final ? error.message : `${step} failed`);
    return log.warn({ ...about, err: error }, 'media can not be processed');
  }
  await release(needs, task, stopping);
  throw error;
}

interface Try {
  mediaId: number;
  run: number;
  attempt: Attempt;
  folder: string;
}

async function openTask(needs: Needs, step: ProcessingStep, { mediaId, run, attempt, folder }: Try) {
  const { db, clock, processingRules } = needs;
  const { transcodingProfile, ...row } = await db.media.findUniqueOrThrow({
    where: { id: mediaId },
    include: { transcodingProfile: { include: { renditions: { orderBy: { height: 'desc' } } } } },
  });
  const media: MediaInWork = { ...row, renditions: transcodingProfile?.renditions ?? [] };
  const plan = planOf({ mediaType: media.mediaType, hasLadder: media.ownFolder && media.renditions.length > 0 });
  const overtaken = new AbortController();
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
      if (error instanceof Superseded) overtaken.abort(error); // a database that is away for a moment is no reason
    });
  }, processingRules.beatMs);

  return {
    media,
    plan,
    folder,
    signal: AbortSignal.any([attempt.signal, overtaken.signal]),
    report: (done: number) => void (fraction = done),
    write,
    ...storing(needs, { mediaId, fenced }),
    attemptId: attempt.id,
    tries: row.tries,
    last: attempt.last || row.tries >= TRIES,
    close: () => clearInterval(timer),
  };
}

type OpenTask = Awaited<ReturnType<typeof openTask>>;

/** Writes if the try is still the one that may. @throws {Superseded} */
type Fenced = (tx: Pick<MediaTransaction, 'media'>, data: Prisma.MediaUncheckedUpdateManyInput) => Promise<void>;

/** What a try has in the store, to take it away should there be no media any more. */
function storing({ db, store }: Needs, { mediaId, fenced }: { mediaId: number; fenced: Fenced }) {
  const owned = new Set<string>();
  const claim: Task['claim'] = async (keys, data = {}) => {
    await db.$transaction(async (tx) => {
      await fenced(tx, data); // holds the row: a deletion finds all keys, or the try finds no row
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

/** The stage becomes failed; the status too, when the file never got to its place. Of a ladder nothing half-made stays. */
async function giveUp({ db, store, clock }: Needs, { media, attemptId }: OpenTask, reason: string) {
  const mine = { id: media.id, run: media.run, attemptId };
  const { count } = await db.media.updateMany({ where: mine, data: { attemptSeenAt: clock.now() } });
  if (count === 0) return; // another try has it, and what lies there is its own
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

/** Lets the next try begin at once. One that ends because its process stops does not count. */
async function release({ db }: Needs, { media, attemptId }: OpenTask, stopping: boolean) {
  const data = { attemptId: null, ...(stopping && { tries: { decrement: 1 } }) };
  await db.media.updateMany({ where: { id: media.id, run: media.run, attemptId }, data });
}
