import { z } from 'zod';

import { uuidText } from '../ids.ts';
import { defineJob } from './jobs.ts';

/**
 * Asks ticketing, which keeps the notifications of staff, to write one (spec 2, "Notifications"). To be enqueued in
 * the transaction of what it tells of.
 */
export const staffNotificationJob = defineJob({
  name: 'ticketing.write-notification',
  data: z.object({
    /** The name of who did it. */
    performedBy: z.string(),
    authorityLevel: z.enum(['ADMIN', 'SYSADMIN', 'MEMBER', 'CUSTOMER', 'system']),
    type: z.enum(['Password reset', 'Admin Account Profile', 'Admin Management']),
    title: z.string(),
    message: z.string(),
    at: z.iso.datetime(),
    /** Whose staff it is for. */
    organizationId: uuidText(),
  }),
  retries: 20,
  retryDelaySeconds: 5,
  retryDelayMaxSeconds: 10 * 60,
});

export type StaffNotification = z.infer<typeof staffNotificationJob.data>;
