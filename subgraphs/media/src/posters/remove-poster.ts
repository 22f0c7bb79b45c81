import type { Context } from '../context.ts';
import { showInFull, type VisibleMedia } from '../media/media.ts';
import { loadMedia, permitOnMedia, type GivenMedia } from '../media/permit-media.ts';
import { mediaNotFound } from '../media/refusals.ts';
import { removeUnnamedPosters } from './remove-unnamed-posters.ts';

type Needs = Pick<Context, 'viewer' | 'permissions' | 'db' | 'store' | 'loaders' | 'log'>;

/**
 * Returns a media item to its automatic preview. Idempotent.
 *
 * @throws {Refusal} `MEDIA_NOT_FOUND`, `FORBIDDEN`
 */
export async function removeMediaPoster(needs: Needs, given: GivenMedia): Promise<VisibleMedia> {
  const { db, loaders, log } = needs;
  const { id } = await permitOnMedia(needs, await loadMedia(needs, given), 'media:manage');
  const [row] = await db.media.updateManyAndReturn({
    where: { id },
    data: { posterKey: null, posterRequest: null, posterFailure: null },
  });
  if (!row) throw mediaNotFound();
  loaders.media.clear(given.id);
  await removeUnnamedPosters(needs, { mediaId: id, key: null }).catch((error: unknown) =>
    log.warn({ err: error, mediaId: id }, 'a preview is removed with the next choice, or with its item'),
  );
  return showInFull(row);
}
