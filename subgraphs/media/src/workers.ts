import { removeChannelsJob } from '@foyer/shared/jobs/deleted-tenancy';
import { worker, type Worker } from '@foyer/shared/jobs/job';

import { endStreamJob } from './channels/end-stream-job.ts';
import { endStream } from './channels/end-stream.ts';
import { pollOrigins } from './channels/poll-origins.ts';
import { removeChannels } from './channels/remove-channels.ts';
import type { Services } from './context.ts';
import { pollNodes } from './nodes/poll-nodes.ts';
import { makeThumbnail, moveMedia, normalizeMedia, probeMedia, transcodeMedia } from './processing/jobs.ts';
import { makeMediaThumbnail } from './processing/steps/make-thumbnail.ts';
import { moveMediaFile } from './processing/steps/move-media.ts';
import { normalizeMediaFile } from './processing/steps/normalize-media.ts';
import { probeMediaFile } from './processing/steps/probe-media.ts';
import { resumeProcessing } from './processing/resume-processing.ts';
import { workFolderSweep, type WorkFolder } from './processing/work-folder.ts';
import { transcodeMediaFile } from './processing/steps/transcode-media.ts';
import { purgeMedia } from './library/purge-media.ts';
import { purgeMediaJob } from './library/purge.ts';
import { drawPoster, drawPosterJob } from './posters/draw-poster.ts';
import { recordAllObjects, recordAllObjectsJob } from './objects/record-all-objects.ts';
import { releaseTenants } from './uploads/claim-tenant.ts';
import { reconcileUploads, reconcileUploadsJob } from './uploads/reconcile-uploads.ts';
import type { Sweep } from './sweeps.ts';
import { sweepUploads, sweepUploadsJob } from './uploads/sweep-uploads.ts';

/** One process runs this many of each step at a time. */
const inParallel = ({ processingRules }: Services) => ({ concurrency: processingRules.concurrency });

/** The background jobs of media: one line for each. */
export const mediaWorkers = (services: Services): Worker[] => [
  worker(moveMedia, (data, attempt) => moveMediaFile(services, data, attempt), inParallel(services)),
  worker(normalizeMedia, (data, attempt) => normalizeMediaFile(services, data, attempt), inParallel(services)),
  worker(probeMedia, (data, attempt) => probeMediaFile(services, data, attempt), inParallel(services)),
  worker(makeThumbnail, (data, attempt) => makeMediaThumbnail(services, data, attempt), inParallel(services)),
  worker(transcodeMedia, (data, attempt) => transcodeMediaFile(services, data, attempt), inParallel(services)),
  worker(drawPosterJob, (data, attempt) => drawPoster(services, data, attempt)),
  worker(reconcileUploadsJob, async (_data, { signal }) => void (await reconcileUploads(services, signal))),
  worker(sweepUploadsJob, (_data, { signal }) => sweepUploads(services, signal)),
  worker(recordAllObjectsJob, (_data, { signal }) => recordAllObjects(services, signal)),
  worker(purgeMediaJob, (data) => purgeMedia(services, data)),
  worker(endStreamJob, (data) => endStream(services, data)),
  worker(removeChannelsJob, async (data) => {
    await releaseTenants(services, data);
    await removeChannels(services, data);
  }),
];

/** The periodic jobs of every process of media. */
export const mediaSweeps = (services: Services, work: WorkFolder): Sweep[] => {
  const { beatMs } = services.processingRules;
  return [
    { name: 'resume-processing', everyMs: 2 * beatMs, work: () => resumeProcessing(services) },
    workFolderSweep(work, services.processingRules),
    { name: 'poll-origins', everyMs: Math.min(services.originPollMs, 5_000), work: () => pollOrigins(services) },
    { name: 'poll-nodes', everyMs: Math.min(services.nodePollMs, 5_000), work: () => pollNodes(services) },
  ];
};
