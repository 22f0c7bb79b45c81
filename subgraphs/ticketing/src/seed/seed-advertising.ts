import { demo } from '@foyer/shared/demo';

import { dateColumn, dayOf, daysAfter } from '../units/calendar.ts';
import type { Services } from '../context.ts';
import { advertisements, campaigns, railMenus, targetGroups } from './advertising-content.ts';

type Needs = Pick<Services, 'db' | 'clock'>;

const owner = { organizationId: demo.acme.organizationId, workspaceId: demo.acme.workspaceId };

/**
 * Seeds Acme's rail menus, advertising and campaigns. Call it after the ticket groups exist. Existing rows stay as staff
 * have left them.
 */
export async function seedAdvertising({ db, clock }: Needs): Promise<void> {
  const groups = await db.ticketGroup.findMany({
    where: owner,
    orderBy: [{ placement: 'asc' }, { ticketGroupId: 'asc' }],
  });
  const today = dayOf(clock.now());

  for (const { code, firstGroups, ...rail } of railMenus) {
    const where = { organizationId_code: { organizationId: owner.organizationId, code } };
    if (await db.railMenu.findUnique({ where })) continue;
    const ticketGroups = groups.slice(0, firstGroups).map(({ ticketGroupId }, index) => ({
      ticketGroupId,
      placement: (index + 1) * 10,
    }));
    await db.railMenu.create({ data: { ...owner, code, ...rail, ticketGroups: { create: ticketGroups } } });
  }

  for (const { rails, daysShown, ...advertisement } of advertisements) {
    const there = await db.advertisingTicket.findFirst({ where: { ...owner, titleEn: advertisement.titleEn } });
    if (there) continue;
    const found = await db.railMenu.findMany({ where: { ...owner, code: { in: [...rails] } } });
    await db.advertisingTicket.create({
      data: {
        ...owner,
        ...advertisement,
        activeStartDate: dateColumn(today),
        activeEndDate: dateColumn(daysAfter(today, daysShown)),
        railMenus: { create: found.map(({ railMenuId }) => ({ railMenuId })) },
      },
    });
  }

  await seedCampaigns({ db, clock });
}

async function seedCampaigns({ db, clock }: Needs): Promise<void> {
  const { organizationId, workspaceId } = owner;
  for (const targetGroup of targetGroups) {
    await db.targetGroup.createMany({ data: [{ organizationId, ...targetGroup }], skipDuplicates: true });
  }
  const startDate = clock.now();
  for (const { days, ofWorkspace, ...campaign } of campaigns) {
    const endDate = new Date(startDate.getTime() + days * 86_400_000);
    const where = { workspaceId: ofWorkspace ? workspaceId : null, organizationId };
    await db.campaign.createMany({ data: [{ ...campaign, ...where, startDate, endDate }], skipDuplicates: true });
  }
}
