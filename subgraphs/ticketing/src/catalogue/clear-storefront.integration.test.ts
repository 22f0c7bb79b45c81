import type { TicketingDatabase } from '@foyer/prisma/ticketing';
import { newId } from '@foyer/shared/ids';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { startScratchDatabase, type ScratchDatabase } from '../testing/scratch-database.ts';
import { createTicketGroupOnSale } from '../testing/storefront-fixture.ts';
import { clearStorefrontWorker } from './clear-storefront.ts';

let scratch: ScratchDatabase;
let db: TicketingDatabase;
beforeAll(async () => {
  scratch = await startScratchDatabase();
  ({ db } = scratch);
}, 60_000);
afterAll(() => scratch.stop());

it('a deleted workspace leaves its organization no rail menu, and no campaign that keeps a target group from being deleted', async () => {
  const [organizationId, deleted, other] = [newId(), newId(), newId()];
  const names = { nameBm: 'Untuk anda', nameEn: 'For you', nameCn: '为您' };
  const sold = await createTicketGroupOnSale(db, { dailyCapacity: 10 });
  // A rail of the deleted workspace may show what another one sells.
  const ticketGroups = { create: { ticketGroupId: BigInt(sold.ticketGroupId) } };
  await db.railMenu.create({
    data: { organizationId, workspaceId: deleted, code: 'deleted', ...names, ticketGroups },
  });
  await db.railMenu.create({ data: { organizationId, workspaceId: other, code: 'other', ...names } });
  const targets = async (name: string) => (await db.targetGroup.create({ data: { organizationId, name } })).id;
  const [families, schools] = [await targets('Families'), await targets('Schools')];
  const campaign = { organizationId, name: 'Holidays', startDate: new Date(), endDate: new Date() };
  await db.campaign.create({ data: { ...campaign, workspaceId: deleted, targetGroupId: families } });
  await db.campaign.create({ data: { ...campaign, workspaceId: other, targetGroupId: schools } });
  await db.campaign.create({ data: { ...campaign, targetGroupId: schools } });

  await clearStorefrontWorker({ db }).run({ workspaceIds: [deleted] } as never, {} as never);

  expect(await db.railMenu.findMany()).toMatchObject([{ code: 'other' }]);
  expect(await db.ticketGroup.findMany()).toMatchObject([{ isActive: true }]);
  expect(await db.campaign.count({ where: { targetGroupId: schools } })).toBe(2);
  await expect(db.targetGroup.delete({ where: { id: families } })).resolves.toMatchObject({ name: 'Families' });
});
