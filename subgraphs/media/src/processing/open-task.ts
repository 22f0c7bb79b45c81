import type { Media as MediaRow, Prisma, ProcessingStep } from '@foyer/prisma/client';
import type { MediaTransaction } from '@foyer/prisma/media';
import type { Attempt } from '@foyer/shared/jobs/job';

import { databaseTime } from '../database-time.ts';
import { claimKeys, LONG } from '../objects/claim-keys.ts';
import { recordObjects } from '../objects/record-objects.ts';
import { removeObjects } from '../objects/remove-objects.ts';
import { planOf, progressOf } from './plan.ts';
import { Cancelled, Superseded, type MediaInWork, type Needs, type Task } from './task.ts';
import { warningsAfter, type MediaWarning } from './warnings.ts';

/**
 * How often one step is attempted, whatever ends the attempts: also a file that crashes the process each time. That is
 * rare, and other reasons end processes often, so there are many; pauses between them grow (claim-step.ts).
 */
export const MAX_ATTEMPTS = 40;

interface ClaimedStep {
  mediaId: number;
  run: number;
  attempt: Attempt;
  folder: string;
}

/** Opens the task of an attempt that has claimed a media item. */
export async function openTask(needs: Needs, step: ProcessingStep, { mediaId, run, attempt, folder }: ClaimedStep) {
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

export type OpenTask = Awaited<ReturnType<typeof openTask>>;

/** @throws {Superseded} when the fence let nothing through, {Cancelled} when the run was cancelled */
export function checkHeld(row: Pick<MediaRow, 'cancelledRun'> | undefined, run: number): void {
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
