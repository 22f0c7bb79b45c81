import type { Context } from '../context.ts';
import { forEachItem, type ItemOutcome } from '../media/each-item.ts';
import { loadMedia, permitOnMedia, type GivenMedia } from '../media/permit-media.ts';
import { showInFull } from '../media/media.ts';
import { startRun } from './start-run.ts';

type Needs = Pick<Context, 'viewer' | 'permissions' | 'db' | 'jobs' | 'loaders'>;

/** Processes a media item again, after its last run has ended. */
export async function processMedia(needs: Needs, given: GivenMedia) {
  const media = await permitOnMedia(needs, await loadMedia(needs, given), 'media:manage');
  const started = await startRun(needs, media);
  needs.loaders.media.clear(given.id);
  return showInFull(started);
}

/**
 * Processes many media items again.
 *
 * @throws {Refusal} `UNAUTHENTICATED`, `VALIDATION_FAILED`; the refusal of one item is in its outcome
 */
export const processMediaItems = (
  needs: Needs & Pick<Context, 'log'>,
  mediaIds: readonly string[],
): Promise<ItemOutcome[]> => forEachItem(needs, mediaIds, (id) => processMedia(needs, { id }));
