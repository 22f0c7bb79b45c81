import type { TicketingTransaction } from '@foyer/prisma/ticketing';
import type { Staff } from '@foyer/shared/auth/viewer';
import { waitsForALock } from '@foyer/prisma/testing/waits-for-a-lock';
import { newId, readId } from '@foyer/shared/ids';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { createOrder } from './checkout/create-order.ts';
import type { Context } from './context.ts';
import { assignToRailMenu } from './rail-menus/assign-advertising-ticket.ts';
import { sortRailMenus } from './rail-menus/sort-rail-menus.ts';
import { openScratchTicketing, type ScratchTicketing } from './testing/scratch-ticketing.ts';
import { staffWith } from './testing/staff-with.ts';
import { createGuest, createTicketGroupOnSale, nextWeek } from './testing/storefront-fixture.ts';
import { sortTicketVariants } from './ticket-variants/sort-ticket-variants.ts';
import { dateColumn } from './units/calendar.ts';
import { createCampaign } from './campaigns/create-campaign.ts';
import { updateCampaign } from './campaigns/update-campaign.ts';

const id = newId();
const organizationId = readId(id);
let ticketing: ScratchTicketing;
let staff: Context;

beforeAll(async () => {
  ticketing = await openScratchTicketing();
  const { permissions } = ticketing.context;
  staff = {
    ...ticketing.context,
    viewer: { kind: 'staff', userId: 'manager', organizationId: id, role: 'ORG_ADMIN' } as Staff,
    permissions: {
      ...permissions,
      onPlatform: async () => new Set(['org:manage']),
      inOrganization: async () => new Set(['org:workspaces:manage']),
    },
  };
}, 60_000);
afterAll(() => ticketing.stop());

/**
 * Does things, one after the other, while another connection holds back what it has changed.
 *
 * @returns `done`, or why it was refused, for each
 */
async function amid(change: (tx: TicketingTransaction) => Promise<unknown>, ...things: (() => Promise<unknown>)[]) {
  const { doing } = await ticketing.context.db.$transaction(
    async (tx) => {
      await change(tx);
      const all: Promise<string>[] = [];
      for (const something of things) {
        let isOver = false;
        const outcome = something()
          .then(
            () => 'done',
            (error: Error & { reason?: string }) => error.reason ?? error.message,
          )
          .finally(() => (isOver = true));
        all.push(outcome);
        await waitsForALock(ticketing.context.db, all.length, () => isOver);
      }
      return { doing: Promise.all(all) };
    },
    { timeout: 30_000 },
  );
  return doing;
}

const names = { nameBm: 'Satu', nameEn: 'One', nameCn: '一' };
const aTargetGroup = (name: string) => ticketing.context.db.targetGroup.create({ data: { organizationId: id, name } });
const campaignFor = (targetGroupId: string) => ({
  name: 'School holidays',
  targetGroupId: readId(targetGroupId),
  startDate: '2030-01-01T00:00:00Z',
  endDate: '2030-02-01T00:00:00Z',
});

it.each(['created', 'changed'])(
  'a campaign is not %s for a target group that is deleted at that moment',
  async (what) => {
    const [kept, deleted] = [await aTargetGroup(`${what}, kept`), await aTargetGroup(`${what}, deleted`)];
    const { id: made } = await createCampaign(staff, { organizationId, input: campaignFor(kept.id) });
    const input = campaignFor(deleted.id);

    const remove = (tx: TicketingTransaction) => tx.targetGroup.delete({ where: { id: deleted.id } });
    const save = () =>
      what === 'created'
        ? createCampaign(staff, { organizationId, input })
        : updateCampaign(staff, { organizationId, id: made, input });
    expect(await amid(remove, save)).toEqual(['TARGET_GROUP_NOT_VALID']);
  },
);

it('an advertising ticket is not assigned to a rail menu that is deleted at that moment', async () => {
  const { db } = ticketing.context;
  const { advertisingTicketId } = await db.advertisingTicket.create({
    data: { organizationId: id, advertisementType: 'coupon' },
  });
  const { railMenuId } = await db.railMenu.create({
    data: { organizationId: id, workspaceId: newId(), code: 'home', ...names },
  });
  const pair = { railMenuId: String(railMenuId), advertisingTicketId: String(advertisingTicketId) };

  const remove = (tx: TicketingTransaction) => tx.railMenu.delete({ where: { railMenuId } });
  expect(await amid(remove, () => assignToRailMenu(staff, pair))).toEqual(['RAIL_MENU_NOT_FOUND']);
});

it('rail menus are not sorted while one of them is deleted: the order names one that is gone', async () => {
  const { db } = ticketing.context;
  const workspaceId = newId();
  const rails = await db.railMenu.createManyAndReturn({
    data: ['stays', 'goes'].map((code) => ({ ...names, organizationId: id, workspaceId, code })),
  });
  const [, gone] = rails;
  const railMenuIds = rails.map(({ railMenuId }) => String(railMenuId));
  const inWorkspace = async () => ({ organizationId, permissions: new Set(['catalogue:manage']) });
  const manager = { ...staff, permissions: { ...staff.permissions, inWorkspace } };

  const remove = (tx: TicketingTransaction) =>
    tx.railMenu.deleteMany({ where: { railMenuId: gone?.railMenuId ?? 0n } });
  const sort = () => sortRailMenus(manager, { workspaceId: readId(workspaceId), railMenuIds });
  expect(await amid(remove, sort)).toEqual(['VALIDATION_FAILED']);
});

/** Two people sort one and two at once, each in another order, while the second is held back. */
const sortedAtOnce = (
  change: (tx: TicketingTransaction) => Promise<unknown>,
  sort: (order: 1 | -1) => Promise<unknown>,
) =>
  amid(
    change,
    () => sort(-1),
    () => sort(1),
  );

it('variants and rail menus are sorted by everybody who sorts them at once, one after the other', async () => {
  const { db } = ticketing.context;
  const { ticketGroupId: group } = await createTicketGroupOnSale(db, { dailyCapacity: 10 });
  const { workspaceId, organizationId: owner } = await db.ticketGroup.findUniqueOrThrow({
    where: { ticketGroupId: BigInt(group) },
  });
  const permissions = new Set(['catalogue:manage']);
  const manager = {
    ...staff,
    permissions: { ...staff.permissions, inWorkspace: async () => ({ organizationId: readId(owner), permissions }) },
  };
  const ofGroup = { ticketGroupId: BigInt(group), organizationId: owner };
  const second = await db.ticketVariant.create({
    data: { ...names, ...ofGroup, itemId: newId(), variant: 'Child', unitPriceSen: 1_00n },
  });
  const variants = await db.ticketVariant.findMany({ where: ofGroup, orderBy: { ticketVariantId: 'asc' } });
  const ticketVariantIds = variants.map(({ ticketVariantId }) => String(ticketVariantId));
  const rails = await db.railMenu.createManyAndReturn({
    data: ['first', 'second'].map((code) => ({ ...names, organizationId: owner, workspaceId, code })),
  });
  const railMenuIds = rails.map(({ railMenuId }) => String(railMenuId));
  const inOrder = (ids: string[], order: 1 | -1) => (order === 1 ? ids : ids.toReversed());

  const variantsSorted = await sortedAtOnce(
    (tx) =>
      tx.ticketVariant.update({ where: { ticketVariantId: second.ticketVariantId }, data: { variant: 'Children' } }),
    (order) =>
      sortTicketVariants(manager, { ticketGroupId: group, ticketVariantIds: inOrder(ticketVariantIds, order) }),
  );
  const railsSorted = await sortedAtOnce(
    (tx) => tx.railMenu.update({ where: { railMenuId: BigInt(railMenuIds[1] ?? 0) }, data: { isActive: false } }),
    (order) => sortRailMenus(manager, { workspaceId: readId(workspaceId), railMenuIds: inOrder(railMenuIds, order) }),
  );

  expect([variantsSorted, railsSorted]).toEqual([
    ['done', 'done'],
    ['done', 'done'],
  ]);
});

it('variants are sorted while the first order is placed for a day that staff has set, one after the other', async () => {
  const { db } = ticketing.context;
  const { ticketGroupId: id, itemId } = await createTicketGroupOnSale(db, { dailyCapacity: 10, variantCapacity: 5 });
  const ticketGroupId = BigInt(id);
  const second = await db.ticketVariant.findFirstOrThrow({ where: { ticketGroupId } });
  // Whoever reads the variants as they lie in the table meets this one after the second.
  const first = await db.ticketVariant.create({
    data: { ...second, ticketVariantId: 0n, itemId: newId(), variant: 'Child' },
  });
  await db.dailyCapacity.create({ data: { ticketGroupId, admitDate: dateColumn(nextWeek()), capacity: 10 } });
  const input = {
    ticketGroupId: id,
    custId: await createGuest(db),
    admitDate: nextWeek(),
    buyerName: 'Siti',
    buyerEmail: 'siti@example.my',
    items: [{ itemId, quantityBought: 1 }],
  };
  const ticketVariantIds = [first, second].map(({ ticketVariantId }) => String(ticketVariantId));

  const done = await amid(
    (tx) =>
      tx.ticketVariant.update({ where: { ticketVariantId: second.ticketVariantId }, data: { variant: 'Children' } }),
    () => createOrder(ticketing.context, { input }),
    () => sortTicketVariants(staffWith('catalogue:manage', staff), { ticketGroupId: id, ticketVariantIds }),
  );

  expect(done).toEqual(['done', 'done']);
});
