import type { Context } from '../context.ts';
import type { GivenImage } from './image-input.ts';
import { imageNotFound } from './refusals.ts';

type Needs = Pick<Context, 'viewer' | 'mediaDirectory'>;

/**
 * Resolves the image that something is to refer to. Whoever is shown the reference is shown the file, so only who
 * may see the file may refer to it. What stands there already may stay: an editor need not see everybody's media.
 *
 * @param before what the thing refers to now
 * @throws {Refusal} `MEDIA_NOT_FOUND`, also for media of somebody else
 */
export async function withImage<Drawn extends { imageMediaId: GivenImage | null }>(
  { viewer, mediaDirectory }: Needs,
  drawn: Drawn,
  before: number | null = null,
): Promise<Omit<Drawn, 'imageMediaId'> & { imageMediaId: number | null }> {
  const given = drawn.imageMediaId;
  if (given === null) return { ...drawn, imageMediaId: null };
  if (before !== null && given === String(before)) return { ...drawn, imageMediaId: before };
  const imageMediaId = await mediaDirectory.findVisible(viewer, given);
  if (imageMediaId === null) throw imageNotFound();
  return { ...drawn, imageMediaId };
}
