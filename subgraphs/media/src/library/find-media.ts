import type { Context } from '../context.ts';
import { inFull, inPublic, type VisibleMedia } from '../media/media.ts';
import { mayOnMedia, namedMedia, permitOnMedia, type GivenMedia } from '../media/permit-media.ts';

type Needs = Pick<Context, 'viewer' | 'permissions' | 'loaders'>;

/** A media item that the viewer asks for by its number. */
export const findMedia = async (needs: Needs, given: GivenMedia): Promise<VisibleMedia> =>
  inFull(await permitOnMedia(needs, await namedMedia(needs, given), 'media:view'));

/** A media item that something else refers to: whoever sees the reference sees at least the public part. */
export async function referredMedia(needs: Needs, id: string): Promise<VisibleMedia | null> {
  const row = await needs.loaders.media.load(id);
  if (!row) return null;
  return (await mayOnMedia(needs, row, 'media:view')) ? inFull(row) : inPublic(row);
}
