import type { Prisma } from '@foyer/prisma/client';

import type { Services } from '../context.ts';
import { databaseTime } from '../database-time.ts';
import { removeStrays } from '../objects/remove-strays.ts';
import { removeLadder } from './remove-ladder.ts';

type Needs = Pick<Services, 'db' | 'store'>;

/** The failure reason of a cancelled media item. */
export const CANCELLED = 'Processing was cancelled.';

/** A media item that an attempt holds. */
export interface Claimed {
  id: number;
  run: number;
  attemptId: string;
}

interface Ending {
  failureReason: string;
  /** The column, when the attempt has found some. */
  warnings?: Prisma.InputJsonValue;
}

/**
 * Marks a media item as failed, its status too when the file never got to its final place. It removes an incomplete
 * ladder first, and the copies of an unfinished move; a ladder that is complete stays, unless this run was replacing it.
 * It does nothing when another attempt holds the item.
 */
export async function giveUp({ db, store }: Needs, claimed: Claimed, ending: Ending): Promise<void> {
  const [row] = await db.media.updateManyAndReturn({ where: claimed, data: { attemptSeenAt: await databaseTime(db) } });
  if (!row) return; // the objects are those of another attempt
  if (row.transcodingStage === 'package' && row.manifestKey)
    await db.media.updateMany({ where: claimed, data: { manifestKey: null, smilKey: null } });
  if (row.transcodingStage === 'package' || !row.manifestKey) await removeLadder({ db, store }, row);
  if (row.status === 'ready' && row.objectsRecorded) {
    await removeStrays({ db, store }, row.id, async (tx) => {
      const held = await tx.media.updateMany({ where: claimed, data: { attemptSeenAt: await databaseTime(tx) } });
      if (held.count === 0) throw new Error('another attempt took over');
    });
  }
  await db.media.updateMany({
    where: claimed,
    data: {
      attemptId: null,
      tries: 0,
      transcodingStage: 'failed',
      ...ending,
      ...(row.status === 'processing' && { status: 'failed' as const }),
    },
  });
}
