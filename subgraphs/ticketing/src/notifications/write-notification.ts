import { worker } from '@foyer/shared/jobs/job';
import { staffNotificationJob, type StaffNotification } from '@foyer/shared/jobs/staff-notification';

import { stampOf } from '../units/calendar.ts';
import type { Services } from '../context.ts';
import { notify } from './notify.ts';

export const writeNotificationWorker = (needs: Pick<Services, 'db'>) =>
  worker(staffNotificationJob, (notification) => writeNotification(needs, notification));

/** Writes a notification that another subgraph sent; a job that runs twice writes it once. */
async function writeNotification({ db }: Pick<Services, 'db'>, notification: StaffNotification): Promise<void> {
  const { performedBy, authorityLevel, type, title, message, organizationId } = notification;
  const at = new Date(notification.at);
  await db.$transaction(async (tx) => {
    const same = { performedBy, authorityLevel, type, title, message, organizationId };
    if (await tx.notification.findFirst({ where: { ...same, date: stampOf(at) } })) return;
    await notify(tx, { ...same, at });
  });
}
