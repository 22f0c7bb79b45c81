import type { ProcessingStep } from '@foyer/prisma/client';
import { defineJob, type Job } from '@foyer/shared/jobs/job';
import { z } from 'zod';

const ProcessingData = z.object({
  mediaId: z.number().int(),
  run: z.number().int(),
  /** How often this step has waited for the store in a row. */
  waits: z.number().int().optional(),
});
export type ProcessingData = z.output<typeof ProcessingData>;

const processing = { data: ProcessingData, retries: 8, retryDelaySeconds: 2, retryDelayMaxSeconds: 120 };

export const moveMedia = defineJob({ ...processing, name: 'media.move-media', expireSeconds: 3_600 });
export const normalizeMedia = defineJob({ ...processing, name: 'media.normalize-media', expireSeconds: 12 * 3_600 });
export const probeMedia = defineJob({ ...processing, name: 'media.probe-media', expireSeconds: 600 });
export const makeThumbnail = defineJob({ ...processing, name: 'media.make-thumbnail', expireSeconds: 600 });
export const transcodeMedia = defineJob({ ...processing, name: 'media.transcode-media', expireSeconds: 23 * 3_600 });

/** The job of each step. */
export const jobOf: Record<ProcessingStep, Job<ProcessingData>> = {
  move: moveMedia,
  normalize: normalizeMedia,
  probe: probeMedia,
  thumbnail: makeThumbnail,
  transcode: transcodeMedia,
};
