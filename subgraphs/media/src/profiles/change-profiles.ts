import type { MediaTransaction } from '@foyer/prisma/media';
import { isReferenceViolation, isUniqueViolation } from '@foyer/shared/database-errors';
import { rowId } from '@foyer/shared/ids';

import type { Context } from '../context.ts';
import { withRenditions } from './list-profiles.ts';
import type { RungPlan } from './profile.ts';
import { profileExists, profileInUse, profileNotFound } from './refusals.ts';

/** Runs changes of profiles one at a time, so that each category has exactly one default after each of them. */
export async function changeProfiles<Result>(
  { db }: Pick<Context, 'db'>,
  change: (tx: MediaTransaction) => Promise<Result>,
): Promise<Result> {
  try {
    return await db.$transaction(async (tx) => {
      await tx.$executeRaw`LOCK TABLE media.transcoding_profile IN SHARE ROW EXCLUSIVE MODE`;
      return change(tx);
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw profileExists();
    if (isReferenceViolation(error)) throw profileInUse();
    throw error;
  }
}

/** Finds a profile, and makes uploads and media that are about to name it wait. */
export async function lockProfile(tx: MediaTransaction, given: string) {
  await tx.$queryRaw`SELECT 1 FROM media.transcoding_profile WHERE id = ${rowId(given)} FOR UPDATE`;
  const profile = await tx.transcodingProfile.findUnique({ where: { id: rowId(given) }, include: withRenditions });
  if (!profile) throw profileNotFound();
  return profile;
}

/** Makes way for another default of a category. */
export const dropDefault = (tx: MediaTransaction, category: string) =>
  tx.transcodingProfile.updateMany({ where: { category, isDefault: true }, data: { isDefault: false } });

/** Whether a media item names the profile, or an upload that may still become one. */
export async function isInUse(tx: MediaTransaction, id: number, now: Date): Promise<boolean> {
  if (await tx.media.findFirst({ where: { transcodingProfileId: id }, select: { id: true } })) return true;
  const tokens = await tx.uploadToken.findMany({
    where: { transcodingProfileId: id, usedAt: null },
    select: { uploadId: true, expiresAt: true },
  });
  if (tokens.some(({ uploadId, expiresAt }) => uploadId === null && expiresAt > now)) return true;
  const bound = tokens.flatMap(({ uploadId }) => uploadId ?? []);
  return (await tx.upload.count({ where: { id: { in: bound }, state: { in: ['receiving', 'finished'] } } })) > 0;
}

/** The columns of rungs: a client may send more. */
export const rungsOf = (rungs: readonly RungPlan[]): RungPlan[] =>
  rungs.map(({ height, videoBitrateKbps, audioBitrateKbps }) => ({ height, videoBitrateKbps, audioBitrateKbps }));
