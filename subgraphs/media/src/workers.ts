import { worker, type Worker } from '@foyer/shared/jobs/jobs';

import { endStream, endStreamJob } from './channels/end-stream.ts';
import { pollOrigins } from './channels/poll-origins.ts';
import type { House } from './context.ts';
import { silenceOf } from './processing/claim-step.ts';
import { pollNodes } from './nodes/poll-nodes.ts';
import { makeThumbnail, moveMedia, normalizeMedia, probeMedia, transcodeMedia } from './processing/jobs.ts';
import { makeMediaThumbnail } from './processing/steps/make-thumbnail.ts';
import { moveMediaFile } from './processing/steps/move-media.ts';
import { normalizeMediaFile } from './processing/steps/normalize-media.ts';
import { probeMediaFile } from './processing/steps/probe-media.ts';
import { resumeProcessing } from './processing/resume-processing.ts';
import { transcodeMediaFile } from './processing/steps/transcode-media.ts';
import { purgeMedia } from './library/purge-media.ts';
import { purgeMediaJob } from './library/purge.ts';
import { recordAllObjects, recordAllObjectsJob } from './objects/record-all-objects.ts';
import { reconcileUploads, reconcileUploadsJob } from './uploads/reconcile-uploads.ts';
import { sweepUploads, sweepUploadsJob } from './uploads/sweep-uploads.ts';

/** What media does in the background: one line for each job. */
export const mediaWorkers = (house: House): Worker[] => [
  worker(moveMedia, (data, attempt) => moveMediaFile(house, data, attempt)),
  worker(normalizeMedia, (data, attempt) => normalizeMediaFile(house, data, attempt)),
  worker(probeMedia, (data, attempt) => probeMediaFile(house, data, attempt)),
  worker(makeThumbnail, (data, attempt) => makeMediaThumbnail(house, data, attempt)),
  worker(transcodeMedia, (data, attempt) => transcodeMediaFile(house, data, attempt)),
  worker(reconcileUploadsJob, async () => void (await reconcileUploads(house))),
  worker(sweepUploadsJob, () => sweepUploads(house)),
  worker(recordAllObjectsJob, (_data, { signal }) => recordAllObjects(house, signal)),
  worker(purgeMediaJob, (data) => purgeMedia(house, data)),
  worker(endStreamJob, (data) => endStream(house, data)),
];

interface WorkFolder {
  sweep(silentMs: number): Promise<void>;
}

/** Removes what killed processes left, later than others take their work over: it is nobody's any more. */
export const sweepWork = (work: WorkFolder, { beatMs }: { beatMs: number }) => ({
  name: 'sweep-work',
  everyMs: 2 * beatMs,
  work: () => work.sweep(3 * silenceOf({ beatMs })),
});

/** What every process looks after within seconds. */
export const mediaRounds = (house: House, work: WorkFolder) => {
  const { beatMs } = house.processingRules;
  return [
    { name: 'resume-processing', everyMs: 2 * beatMs, work: () => resumeProcessing(house) },
    sweepWork(work, house.processingRules),
    { name: 'poll-origins', everyMs: Math.min(house.originPollMs, 5_000), work: () => pollOrigins(house) },
    { name: 'poll-nodes', everyMs: Math.min(house.nodePollMs, 5_000), work: () => pollNodes(house) },
  ];
};
