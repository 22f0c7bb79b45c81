import type { MediaVisibility } from '@foyer/prisma/client';

import type { Context } from '../context.ts';
import { showInFull, type VisibleMedia } from '../media/media.ts';
import { loadMedia, permitOnMedia, type GivenMedia } from '../media/permit-media.ts';
import { mediaNotFound } from '../media/refusals.ts';
import { recordObjects } from '../objects/record-objects.ts';

type Needs = Pick<Context, 'viewer' | 'permissions' | 'db' | 'store' | 'loaders'>;

/** Makes a media item public or private, with all files that it has and will have. */
export async function setMediaVisibility(
  needs: Needs,
  { visibility, ...given }: GivenMedia & { visibility: MediaVisibility },
): Promise<VisibleMedia> {
  const { db, loaders } = needs;
  const media = await permitOnMedia(needs, await loadMedia(needs, given), 'media:manage');
  if (!media.objectsRecorded) await recordObjects(needs, media); // only of a recorded object is it known whose it is
  const [row] = await db.media.updateManyAndReturn({ where: { id: media.id }, data: { visibility } });
  if (!row) throw mediaNotFound(); // deleted meanwhile
  loaders.media.clear(given.id);
  return showInFull(row);
}
