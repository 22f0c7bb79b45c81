import type { Media, Prisma } from '@foyer/prisma/client';
import { isReferenceViolation } from '@foyer/shared/database-errors';
import { badInput } from '@foyer/shared/errors';
import { rowId } from '@foyer/shared/ids';

import type { Context } from '../context.ts';
import type { UpdateMediaInput } from '../generated/graphql.ts';
import { showInFull, type VisibleMedia } from '../media/media.ts';
import { loadMedia, permitOnMedia, type GivenMedia } from '../media/permit-media.ts';
import { mediaNotFound } from '../media/refusals.ts';
import { processingRuns } from '../processing/refusals.ts';
import { startRun } from '../processing/start-run.ts';
import { sourceKeys } from '../storage/media-keys.ts';
import { folderPath, label } from '../uploads/names.ts';
import { unknownProfile } from '../uploads/refusals.ts';
import { mediaNotReady } from './refusals.ts';

type Needs = Pick<Context, 'viewer' | 'permissions' | 'db' | 'jobs' | 'loaders'>;

/**
 * Updates a media item. A new folder or profile starts a run, which moves all its files, and makes or removes a ladder;
 * until then all keys of the item stay valid.
 *
 * @throws {Refusal} `MEDIA_NOT_FOUND`, `FORBIDDEN`, `VALIDATION_FAILED`; for folder and profile also `PROCESSING_RUNS`
 * and `MEDIA_NOT_READY`
 */
export async function updateMedia(
  needs: Needs,
  { input, ...given }: GivenMedia & { input: UpdateMediaInput },
): Promise<VisibleMedia> {
  const { db, loaders } = needs;
  const media = await permitOnMedia(needs, await loadMedia(needs, given), 'media:manage');
  const title = typeof input.title === 'string' ? { title: label('title', input.title) } : {};
  const place = await placeOf(needs, media, input);
  loaders.media.clear(given.id);
  if (place) return showInFull(await begin(needs, media, { ...place, data: { ...place.data, ...title } }));
  const [row] = await db.media.updateManyAndReturn({ where: { id: media.id }, data: title });
  if (!row) throw mediaNotFound();
  return showInFull(row);
}

interface NewPlace {
  data: Prisma.MediaUncheckedUpdateManyInput;
  onlyMove: boolean;
}

const begin = (needs: Needs, media: Media, place: NewPlace): Promise<Media> =>
  startRun(needs, media, place).catch((error: unknown) => {
    throw isReferenceViolation(error) ? unknownProfile() : error; // the profile has just been deleted
  });

/** Returns what folder and profile change; null when they stay as they are. */
async function placeOf({ db }: Pick<Needs, 'db'>, media: Media, input: UpdateMediaInput): Promise<NewPlace | null> {
  const folder = typeof input.folder === 'string' ? folderPath(input.folder) : media.folder;
  const profile = await profileOf({ db }, input.transcodingProfileId);
  const isNewProfile = profile !== null && profile.id !== media.transcodingProfileId;
  const data = { folder, ...(isNewProfile && { transcodingProfileId: profile.id, ownFolder: true }) };
  const isPlaced = folder === media.folder && sourceKeys({ ...media, ...data }).includes(media.storageKey);
  const isMeant = typeof input.folder === 'string' || isNewProfile;
  if (!isMeant || (isPlaced && !isNewProfile)) return null;

  if (!['done', 'failed'].includes(media.transcodingStage)) throw processingRuns();
  if (media.status !== 'ready' || !media.objectsRecorded) throw mediaNotReady();
  if (isNewProfile && media.mediaType !== 'video')
    throw badInput([{ path: 'transcodingProfileId', message: 'is only for videos' }]);
  if (isNewProfile && profile.hasLadder) return { data, onlyMove: false };
  return { data: { ...data, ...(isNewProfile && { manifestKey: null, smilKey: null }) }, onlyMove: true };
}

async function profileOf({ db }: Pick<Needs, 'db'>, given: string | null | undefined) {
  if (!given) return null;
  const profile = await db.transcodingProfile.findUnique({
    where: { id: rowId(given) },
    select: { id: true, renditions: { take: 1 } },
  });
  if (!profile) throw unknownProfile();
  return { id: profile.id, hasLadder: profile.renditions.length > 0 };
}
