import { z } from 'zod';

import { uuidText } from '../ids.ts';
import { defineJob } from './job.ts';

/**
 * The job that writes a notification for staff, which ticketing stores (spec 2, "Notifications"). Enqueue it in the
 * transaction of the change that it reports.
 */
export const staffNotificationJob = defineJob({
  name: 'ticketing.write-notification',
  data: z.object({
    /** The name of the person who did it. */
    performedBy: z.string(),
    authorityLevel: z.enum(['ADMIN', 'SYSADMIN', 'MEMBER', 'CUSTOMER', 'system']),
    type: z.enum(['Password reset', 'Admin Account Profile', 'Admin Management']),
    title: z.string(),
    message: z.string(),
    at: z.iso.datetime(),
    /** The organization whose staff get it. */
    organizationId: uuidText(),
  }),
  retries: 20,
  retryDelaySeconds: 5,
  retryDelayMaxSeconds: 10 * 60,
});

export type StaffNotification = z.infer<typeof staffNotificationJob.data>;
