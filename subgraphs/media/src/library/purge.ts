import { defineJob } from '@foyer/shared/jobs/job';
import { z } from 'zod';

/** The objects to remove for a deleted media item. */
const Purge = z.union([
  z.object({ mediaId: z.number().int(), release: z.boolean() }),
  /** The form of jobs from before decision 48, which may still be queued. */
  z.object({ prefix: z.string().nullable(), keys: z.array(z.string()) }),
]);
export type Purge = z.output<typeof Purge>;

/** Enqueued in the transaction of the deletion, so that neither a store outage nor a crash leaves objects behind. */
export const purgeMediaJob = defineJob({
  name: 'media.purge-media',
  data: Purge,
  // After 5 s, 10 s, … 30 min, 30 min, …, for about a day in all: nothing else removes what it gives up.
  retries: 56,
  retryDelaySeconds: 5,
  retryDelayMaxSeconds: 30 * 60,
  expireSeconds: 3_600,
});
