import type { Context } from '../context.ts';
import { loadMedia, permitOnMedia, type GivenMedia } from '../media/permit-media.ts';
import { showInFull } from '../media/media.ts';
import { startRun } from './start-run.ts';

type Needs = Pick<Context, 'viewer' | 'permissions' | 'db' | 'jobs' | 'loaders'>;

/** Processes a media item again, after its last run has ended. */
export async function processMedia(needs: Needs, given: GivenMedia) {
  const media = await permitOnMedia(needs, await loadMedia(needs, given), 'media:manage');
  return showInFull(await startRun(needs, media));
}
