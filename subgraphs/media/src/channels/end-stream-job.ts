import { defineJob } from '@foyer/shared/jobs/job';
import { z } from 'zod';

/** Ends a stream on a node, retrying for about a day while the node can't be reached. */
export const endStreamJob = defineJob({
  name: 'media.end-stream',
  data: z.object({
    streamerId: z.number().int(),
    streamId: z.string(),
    /** Whose channel has ended; absent in jobs of earlier versions. */
    organizationId: z.string().nullable().optional(),
    /** The origin of another organization that waited for the stream then, if any. */
    successorId: z.number().int().nullable().optional(),
  }),
  retries: 40,
  retryDelaySeconds: 5,
  retryDelayMaxSeconds: 3_600,
});

/** A stream on a node. */
export type StreamOnNode = z.infer<typeof endStreamJob.data>;
