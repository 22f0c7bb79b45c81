import { worker } from '@foyer/shared/jobs/jobs';
import { staffNotificationJob, type StaffNotification } from '@foyer/shared/jobs/staff-notification';

import { stampOf } from '../units/calendar.ts';
import type { Services } from '../context.ts';
import { notify } from './notify.ts';

export const writeNotificationWorker = (needs: Pick<Services, 'db'>) =>
  worker(staffNotificationJob, (notice) => writeNotification(needs, notice));

/** Writes a notification that another subgraph sent; a job that runs twice writes it once. */
async function writeNotification({ db }: Pick<Services, 'db'>, notice: StaffNotification): Promise<void> {
  const { performedBy, authorityLevel, type, title, message, organizationId } = notice;
  const at = new Date(notice.at);
  await db.$transaction(async (tx) => {
    const same = { performedBy, authorityLevel, type, title, message, organizationId };
    if (await tx.notification.findFirst({ where: { ...same, date: stampOf(at) } })) return;
    await notify(tx, { ...same, at });
  });
}
