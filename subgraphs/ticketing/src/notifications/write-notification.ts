import { worker } from '@foyer/shared/jobs/jobs';
import { staffNotificationJob, type StaffNotification } from '@foyer/shared/jobs/staff-notification';

import { stampOf } from '../units/calendar.ts';
import type { House } from '../context.ts';
import { notify } from './notify.ts';

export const writeNotificationWorker = (needs: Pick<House, 'db'>) =>
  worker(staffNotificationJob, (notice) => writeNotification(needs, notice));

/** Writes what another part of the house tells staff; a job that runs twice writes once. */
async function writeNotification({ db }: Pick<House, 'db'>, notice: StaffNotification): Promise<void> {
  const { performedBy, authorityLevel, type, title, message, organizationId } = notice;
  const date = stampOf(new Date(notice.at));
  await db.$transaction(async (tx) => {
    const same = { performedBy, authorityLevel, type, title, message, date, organizationId };
    if (await tx.notification.findFirst({ where: same })) return;
    await notify(tx, performedBy, authorityLevel, type, title, message, date, { organizationId });
  });
}
