import { randomUUID } from 'node:crypto';

import type { Media } from '@foyer/prisma/client';

import type { Context } from '../context.ts';
import type { MediaPosterInput } from '../generated/graphql.ts';
import { mediaNotReady } from '../library/refusals.ts';
import { showInFull, type VisibleMedia } from '../media/media.ts';
import { loadMedia, mayOnMedia, permitOnMedia, type GivenMedia } from '../media/permit-media.ts';
import { mediaNotFound } from '../media/refusals.ts';
import { posterKey } from '../storage/media-keys.ts';
import { drawPosterJob, type PosterChoice } from './draw-poster.ts';
import { imageWithoutPreview, noSuchImage, noSuchMoment, oneChoice, onlyOfVideos } from './refusals.ts';

type Needs = Pick<Context, 'viewer' | 'permissions' | 'db' | 'jobs' | 'loaders'>;

/**
 * Chooses the preview of a media item, which a job then draws. Of several choices the latest counts.
 *
 * @throws {Refusal} `MEDIA_NOT_FOUND`, `FORBIDDEN`, `VALIDATION_FAILED`, `MEDIA_NOT_READY`, `IMAGE_WITHOUT_PREVIEW`
 */
export async function setMediaPoster(
  needs: Needs,
  { input, ...given }: GivenMedia & { input: MediaPosterInput },
): Promise<VisibleMedia> {
  const { db, jobs, loaders } = needs;
  const media = await permitOnMedia(needs, await loadMedia(needs, given), 'media:manage');
  const choice = await choiceOf(needs, media, input);
  const key = posterKey(media, randomUUID());
  const row = await db.$transaction(async (tx) => {
    const [chosen] = await tx.media.updateManyAndReturn({
      where: { id: media.id },
      data: { posterRequest: key, posterFailure: null },
    });
    if (!chosen) throw mediaNotFound(); // deleted meanwhile
    await jobs.enqueue(drawPosterJob, { mediaId: media.id, key, choice }, { within: tx });
    return chosen;
  });
  loaders.media.clear(given.id);
  return showInFull(row);
}

async function choiceOf(needs: Needs, media: Media, { atSeconds, imageId }: MediaPosterInput): Promise<PosterChoice> {
  if (typeof atSeconds === 'number' && !imageId) return { atSeconds: momentOf(media, atSeconds) };
  if (imageId && typeof atSeconds !== 'number') return { imageId: await imageOf(needs, media, imageId) };
  throw oneChoice();
}

function momentOf({ mediaType, status, duration }: Media, atSeconds: number): number {
  if (mediaType !== 'video') throw onlyOfVideos();
  if (!Number.isFinite(atSeconds) || atSeconds < 0 || atSeconds >= (duration ?? Infinity)) throw noSuchMoment(duration);
  if (status !== 'ready') throw mediaNotReady();
  return atSeconds;
}

async function imageOf(needs: Needs, { workspaceId }: Media, id: string): Promise<number> {
  const image = await loadMedia(needs, { id });
  const isThere = image && image.workspaceId === workspaceId && (await mayOnMedia(needs, image, 'media:view'));
  if (!isThere) throw noSuchImage();
  if (image.mediaType !== 'image' || !image.thumbnailKey) throw imageWithoutPreview();
  return image.id;
}
