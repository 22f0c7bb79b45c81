import type { Context } from '../context.ts';
import type { GivenImage } from './image-input.ts';
import { imageNotFound } from './refusals.ts';

type Needs = Pick<Context, 'viewer' | 'mediaDirectory'>;

/**
 * Resolves a reference to an image. Whoever sees the reference sees the file, so only viewers who may see the file may
 * refer to it. An existing reference may stay, because an editor need not see all media.
 *
 * @param before the current reference
 * @throws {Refusal} `MEDIA_NOT_FOUND`, also for media that the viewer may not see
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
