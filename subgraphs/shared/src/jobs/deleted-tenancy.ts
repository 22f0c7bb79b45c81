import { z } from 'zod';

import { uuidText } from '../ids.ts';
import { defineJob } from './job.ts';

/** What was deleted: an organization with its workspaces, or a workspace alone. */
const DeletedTenancy = z.object({
  /** Absent where the organization stays. */
  organizationId: uuidText().optional(),
  workspaceIds: z.array(uuidText()),
});

export type DeletedTenancy = z.infer<typeof DeletedTenancy>;

/**
 * After 5 s, 10 s, … 30 min, 30 min, …, for about a day in all: nothing else ends what it leaves. One attempt may wait for
 * many streamers that are away.
 */
const tries = { retries: 56, retryDelaySeconds: 5, retryDelayMaxSeconds: 30 * 60, expireSeconds: 15 * 60 };

/** The job of ticketing that takes off the storefront what belonged to what was deleted. */
export const clearStorefrontJob = defineJob({ name: 'ticketing.clear-storefront', data: DeletedTenancy, ...tries });

/** The job of media that removes the channels of what was deleted, and ends their streams. */
export const removeChannelsJob = defineJob({ name: 'media.remove-channels', data: DeletedTenancy, ...tries });

/** The condition for the rows that belonged to what was deleted. */
export const belongedTo = ({ organizationId, workspaceIds }: DeletedTenancy) => ({
  OR: [{ workspaceId: { in: workspaceIds } }, ...(organizationId ? [{ organizationId }] : [])],
});
