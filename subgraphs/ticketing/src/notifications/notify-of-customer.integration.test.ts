import { newId, type Id } from '@foyer/shared/ids';
import type { Viewer } from '@foyer/shared/auth/viewer';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import type { Context } from '../context.ts';
import { createOrder } from '../checkout/create-order.ts';
import { openScratchTicketing, type ScratchTicketing } from '../testing/scratch-ticketing.ts';
import { nextWeek, createTicketGroupOnSale } from '../testing/storefront-fixture.ts';
import { listNotifications } from './list-notifications.ts';
import { markNotification } from './mark-notification.ts';
import { notifyOfCustomer } from './notify-of-customer.ts';

let ticketing: ScratchTicketing;
beforeAll(async () => {
  ticketing = await openScratchTicketing();
}, 60_000);
afterAll(() => ticketing.stop());

const staffOf = (organizationId: Id): Context => ({
  ...ticketing.context,
  viewer: { kind: 'staff', organizationId } as Viewer,
  permissions: { ...ticketing.context.permissions, workspacesWith: async () => [newId()] },
});
const legacyStaff = (): Context => ({
  ...ticketing.context,
  viewer: { kind: 'legacy-user', subject: 's', role: 'ADMIN', expiresAt: 0 },
});

const said = async (who: Context) =>
  (await listNotifications(who, { first: 100 })).edges.map(({ node }) => `${node.performedBy}: ${node.message}`);

/** A customer, an organization from which they have ordered, and one that only sells something else. */
let siti: { custId: Id; fullName: string };
let known: Id;
let stranger: Id;
beforeEach(async () => {
  const { db } = ticketing.context;
  await db.notification.deleteMany({});
  const [theirs, other] = [
    await createTicketGroupOnSale(db, { dailyCapacity: 10 }),
    await createTicketGroupOnSale(db, { dailyCapacity: 10 }),
  ];
  const ownerOf = async ({ ticketGroupId }: { ticketGroupId: string }) =>
    (await db.ticketGroup.findUniqueOrThrow({ where: { ticketGroupId: BigInt(ticketGroupId) } })).organizationId;
  [known, stranger] = [await ownerOf(theirs), await ownerOf(other)];
  const { custId } = await createOrder(ticketing.context, {
    input: {
      ticketGroupId: theirs.ticketGroupId,
      admitDate: nextWeek(),
      buyerName: 'Siti Aminah',
      buyerEmail: 'siti@example.my',
      items: [{ itemId: theirs.itemId, quantityBought: 1 }],
    },
  });
  siti = { custId, fullName: 'Siti Aminah' };
});

const tell = (isNew: boolean) =>
  ticketing.context.db.$transaction((tx) =>
    notifyOfCustomer(tx, siti, {
      type: 'Customer',
      title: 'News',
      say: (name) => `${name} did it.`,
      at: new Date(),
      isNew,
    }),
  );

describe('notifications about a customer', () => {
  it('reach the staff of an organization from which they have ordered, and of no other', async () => {
    await tell(false);

    expect(await said(staffOf(known))).toEqual(['Siti Aminah: Siti Aminah did it.']);
    expect(await said(staffOf(stranger))).toEqual([]);
  });

  it('reach every organization that sells when the customer is new, with the name masked for those without an order', async () => {
    await tell(true);

    expect(await said(staffOf(known))).toEqual(['Siti Aminah: Siti Aminah did it.']);
    expect(await said(staffOf(stranger))).toEqual(['S***: S*** did it.']);
  });

  it('reach once a viewer who sees everything', async () => {
    await tell(true);

    expect(await said(legacyStaff())).toEqual(['Siti Aminah: Siti Aminah did it.']);
  });

  it('that one organization removes stay for the others', async () => {
    await tell(true);
    const [mine] = (await listNotifications(staffOf(known), {})).edges;

    const notificationId = String(mine?.node.notificationId);
    await markNotification(staffOf(known), { notificationId, isRead: false, isDeleted: true });

    expect(await said(staffOf(known))).toEqual([]);
    expect(await said(staffOf(stranger))).toHaveLength(1);
    expect(await said(legacyStaff())).toHaveLength(1);
  });
});

describe('a mark', () => {
  it.each([
    [{ isRead: false }, 'isRead or isDeleted must be true.'],
    [{ isDeleted: false }, 'isDeleted or isRead must be true.'],
    [{ isRead: false, isDeleted: false }, 'isDeleted or isRead must be true.'],
    [{}, 'isRead or isDeleted must be true.'],
  ])('that sets nothing is refused: %j', async (marks, message) => {
    await expect(markNotification(staffOf(known), { notificationId: '1', ...marks })).rejects.toMatchObject({
      reason: 'VALIDATION_FAILED',
      message,
    });
  });
});
