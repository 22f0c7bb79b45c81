import type { Context } from '../context.ts';
import type { GivenImage } from './image-input.ts';
import { imageNotFound } from './refusals.ts';

type Needs = Pick<Context, 'viewer' | 'mediaDirectory'>;

interface Given {
  imageUrl: string;
  imageMediaId: GivenImage | null | undefined;
}

interface Picture {
  imageUrl: string;
  imageMediaId: number | null;
}

/**
 * Resolves a reference to an image. Whoever sees the reference sees the file, so only viewers who may see the file may
 * refer to it. An existing reference may stay, because an editor need not see all media. It does stay when the client
 * names none, as the clients that only know addresses do, unless they give another address.
 *
 * @param before the current picture
 * @throws {Refusal} `MEDIA_NOT_FOUND`, also for media that the viewer may not see
 */
export async function withImage<Drawn extends Given>(
  { viewer, mediaDirectory }: Needs,
  drawn: Drawn,
  before: Picture = { imageUrl: '', imageMediaId: null },
): Promise<Omit<Drawn, 'imageMediaId'> & { imageMediaId: number | null }> {
  const given = drawn.imageMediaId;
  const isUnchanged = given === undefined ? drawn.imageUrl === before.imageUrl : given === String(before.imageMediaId);
  if (isUnchanged) return { ...drawn, imageMediaId: before.imageMediaId };
  if (!given) return { ...drawn, imageMediaId: null };
  const imageMediaId = await mediaDirectory.findVisible(viewer, given);
  if (imageMediaId === null) throw imageNotFound();
  return { ...drawn, imageMediaId };
}
