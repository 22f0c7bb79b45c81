import { isReferenceViolation, isUniqueViolation } from '@foyer/shared/database-errors';
import { rowId } from '@foyer/shared/ids';
import { permitOnPlatform } from '@foyer/shared/auth/permissions';
import type { MediaTransaction } from '@foyer/prisma/media';

import type { Context } from '../context.ts';
import type { CreateTranscodingProfileInput, UpdateTranscodingProfileInput } from '../generated/graphql.ts';
import { present, withRenditions, type Profile } from './list-profiles.ts';
import { checkProfile, type Rung } from './profile.ts';
import { defaultNeeded, profileExists, profileInUse, profileNotFound } from './refusals.ts';

type Needs = Pick<Context, 'viewer' | 'permissions' | 'db' | 'clock'>;

const PERMISSION = 'org:manage';

/**
 * Creates a transcoding profile. All organizations share the profiles, so this is for those who run the platform.
 *
 * @throws {Refusal} `FORBIDDEN`, `VALIDATION_FAILED`, `TRANSCODING_PROFILE_EXISTS`
 */
export async function createProfile(needs: Needs, input: CreateTranscodingProfileInput): Promise<Profile> {
  await permitOnPlatform(needs, PERMISSION);
  const { name, category, renditions } = checkProfile({ ...input, category: input.category ?? 'video' });
  return managing(needs, async (tx) => {
    const isFirst = (await tx.transcodingProfile.count({ where: { category } })) === 0;
    const isDefault = input.isDefault === true || isFirst;
    if (isDefault) await dropDefault(tx, category);
    const data = { name, category, isDefault, renditions: { create: rungsOf(renditions) } };
    return present(await tx.transcodingProfile.create({ data, include: withRenditions }));
  });
}

/**
 * Changes a transcoding profile, for what is processed from then on.
 *
 * @throws {Refusal} `FORBIDDEN`, `VALIDATION_FAILED`, `TRANSCODING_PROFILE_NOT_FOUND`, `TRANSCODING_PROFILE_EXISTS`,
 *   `TRANSCODING_PROFILE_IN_USE` for a ladder that would become passthrough, or the reverse; `DEFAULT_PROFILE_NEEDED`
 */
export async function updateProfile(needs: Needs, input: UpdateTranscodingProfileInput): Promise<Profile> {
  await permitOnPlatform(needs, PERMISSION);
  return managing(needs, async (tx) => {
    const { id, category, isDefault, renditions: before } = await lockedProfile(tx, input.id);
    const { name, renditions } = checkProfile({
      ...(input.name != null && { name: input.name }),
      ...(input.renditions != null && { category, renditions: input.renditions }),
    });
    const changesKind = renditions !== undefined && (renditions.length === 0) !== (before.length === 0);
    if (changesKind && (await isInUse(tx, id, needs.clock.now()))) throw profileInUse();
    if (input.isDefault === false && isDefault) throw defaultNeeded();
    if (input.isDefault === true && !isDefault) await dropDefault(tx, category);
    if (renditions) await tx.rendition.deleteMany({ where: { profileId: id } });
    const data = {
      ...(name !== undefined && { name }),
      ...(input.isDefault === true && { isDefault: true }),
      ...(renditions && { renditions: { create: rungsOf(renditions) } }),
    };
    return present(await tx.transcodingProfile.update({ where: { id }, data, include: withRenditions }));
  });
}

/**
 * Deletes a transcoding profile that nothing uses. A category keeps its default as long as it has any profile.
 *
 * @throws {Refusal} `FORBIDDEN`, `TRANSCODING_PROFILE_NOT_FOUND`, `TRANSCODING_PROFILE_IN_USE`, `DEFAULT_PROFILE_NEEDED`
 */
export async function deleteProfile(needs: Needs, given: string): Promise<string> {
  await permitOnPlatform(needs, PERMISSION);
  return managing(needs, async (tx) => {
    const { id, category, isDefault } = await lockedProfile(tx, given);
    if (await isInUse(tx, id, needs.clock.now())) throw profileInUse();
    const others = await tx.transcodingProfile.count({ where: { category, id: { not: id } } });
    if (isDefault && others > 0) throw defaultNeeded();
    await tx.transcodingProfile.delete({ where: { id } });
    return String(id);
  });
}

/** Runs changes of profiles one at a time, so that each category has exactly one default after each of them. */
async function managing<Result>({ db }: Needs, change: (tx: MediaTransaction) => Promise<Result>): Promise<Result> {
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
async function lockedProfile(tx: MediaTransaction, given: string) {
  await tx.$queryRaw`SELECT 1 FROM media.transcoding_profile WHERE id = ${rowId(given)} FOR UPDATE`;
  const profile = await tx.transcodingProfile.findUnique({ where: { id: rowId(given) }, include: withRenditions });
  if (!profile) throw profileNotFound();
  return profile;
}

const dropDefault = (tx: MediaTransaction, category: string) =>
  tx.transcodingProfile.updateMany({ where: { category, isDefault: true }, data: { isDefault: false } });

/** Whether a media item names the profile, or an upload that may still become one. */
async function isInUse(tx: MediaTransaction, id: number, now: Date): Promise<boolean> {
  if (await tx.media.findFirst({ where: { transcodingProfileId: id }, select: { id: true } })) return true;
  const tokens = await tx.uploadToken.findMany({
    where: { transcodingProfileId: id, usedAt: null },
    select: { uploadId: true, expiresAt: true },
  });
  if (tokens.some(({ uploadId, expiresAt }) => uploadId === null && expiresAt > now)) return true;
  const bound = tokens.flatMap(({ uploadId }) => uploadId ?? []);
  return (await tx.upload.count({ where: { id: { in: bound }, state: { in: ['receiving', 'finished'] } } })) > 0;
}

const rungsOf = (rungs: readonly Rung[]): Rung[] =>
  rungs.map(({ height, videoBitrateKbps, audioBitrateKbps }) => ({ height, videoBitrateKbps, audioBitrateKbps }));
