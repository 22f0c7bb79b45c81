import { defineJob } from '@foyer/shared/jobs/jobs';
import { z } from 'zod';

/** What the store is to lose with a media item that is gone. */
const Purge = z.union([
  z.object({ mediaId: z.number().int(), release: z.boolean() }),
  /** As it was asked for before decision 48: such jobs may still wait. */
  z.object({ prefix: z.string().nullable(), keys: z.array(z.string()) }),
]);
export type Purge = z.output<typeof Purge>;

/** Promised with the deletion itself: a store that is away, or a process that dies, leaves nothing behind. */
export const purgeMediaJob = defineJob({
  name: 'media.purge-media',
  data: Purge,
  retries: 12,
  retryDelaySeconds: 5,
  retryDelayMaxSeconds: 600,
  expireSeconds: 3_600,
});
