import type { Context } from '../context.ts';
import { showInFull, showPublicPart, type VisibleMedia } from '../media/media.ts';
import { mayOnMedia, loadMedia, permitOnMedia, type GivenMedia } from '../media/permit-media.ts';

type Needs = Pick<Context, 'viewer' | 'permissions' | 'loaders'>;

/** Finds a media item by its id. */
export const findMedia = async (needs: Needs, given: GivenMedia): Promise<VisibleMedia> =>
  showInFull(await permitOnMedia(needs, await loadMedia(needs, given), 'media:view'));

/** Finds a media item that another entity refers to: whoever sees the reference sees at least the public part. */
export async function findReferencedMedia(needs: Needs, id: string): Promise<VisibleMedia | null> {
  const row = await needs.loaders.media.load(id);
  if (!row) return null;
  return (await mayOnMedia(needs, row, 'media:view')) ? showInFull(row) : showPublicPart(row);
}
