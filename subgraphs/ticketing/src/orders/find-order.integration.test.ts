import { newId } from '@foyer/shared/ids';
import { besideOpening } from '@foyer/shared/auth/opening';
import type { Viewer } from '@foyer/shared/auth/viewer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createBuyer } from '../testing/buyer-fixture.ts';
import { openScratchTicketing, type ScratchTicketing } from '../testing/scratch-ticketing.ts';
import type { Context } from '../context.ts';
import { findOrder } from './find-order.ts';
import { listOrders } from './list-orders.ts';

let ticketing: ScratchTicketing;
beforeAll(async () => {
  ticketing = await openScratchTicketing();
}, 60_000);
afterAll(() => ticketing.stop());

describe('an order that is looked up', () => {
  it('hides its secret names from a caller who counts up the documented numbers', async () => {
    const { context, bankUrl } = ticketing;
    const order = await createBuyer(context, bankUrl).orders();

    const counted = await findOrder(context, { orderTicketGroupId: String(order.orderTicketGroupId) });

    expect(counted).toMatchObject({
      orderNo: expect.stringMatching(/^ORD-\d{8}-\*\*\*$/),
      transactionId: expect.stringMatching(/^[0-9a-f]{8}-\*\*\*$/),
      seenBy: 'public',
    });
    const { orderNo, transactionId } = order;
    expect(await findOrder(context, { orderNo })).toMatchObject({ orderNo, transactionId, seenBy: 'public' });
    expect(await findOrder(context, { transactionId })).toMatchObject({ orderNo, transactionId, seenBy: 'public' });
    expect(await findOrder(context, { orderNo, email: ' SITI@example.my ' })).toMatchObject({ seenBy: 'buyer' });
    await expect(findOrder(context, { orderNo, email: 'x@example.my' })).rejects.toThrow('There is no such order.');
  });

  it('shows them where a REST route of the documents opens them, without contact data and codes', async () => {
    const { context, bankUrl } = ticketing;
    const { orderNo, transactionId, orderTicketGroupId } = await createBuyer(context, bankUrl).orders();
    const strangers: (Viewer | null)[] = [
      null,
      { kind: 'customer', custId: newId(), issuedAt: 0, expiresAt: 0 },
      { kind: 'staff', organizationId: newId() } as Viewer,
    ];

    for (const stranger of strangers) {
      const by = (viewer: Viewer | null) =>
        findOrder({ ...context, viewer }, { orderTicketGroupId: String(orderTicketGroupId) });

      expect(await by(besideOpening(stranger, { permissions: ['legacy:order-names'] }))).toMatchObject({
        orderNo,
        transactionId,
        seenBy: 'public',
      });
      expect(await by(besideOpening(stranger, { permissions: ['orders:view'] }))).toMatchObject({
        orderNo: expect.stringContaining('***'),
      });
      expect(await by(stranger)).toMatchObject({ orderNo: expect.stringContaining('***') });
    }
  });

  it('is shown in full to the buyer where a REST route opens its names to everybody', async () => {
    const { context, bankUrl } = ticketing;
    const { custId, orderTicketGroupId } = await createBuyer(context, bankUrl).orders();
    const viewer = besideOpening(
      { kind: 'customer', custId, issuedAt: 0, expiresAt: 0 },
      { permissions: ['legacy:order-names'] },
    );

    expect(await findOrder({ ...context, viewer }, { orderTicketGroupId: String(orderTicketGroupId) })).toMatchObject({
      seenBy: 'buyer',
    });
  });

  it('counts the lookups of everybody who is neither its buyer nor staff', async () => {
    const { context, bankUrl } = ticketing;
    const { custId, orderNo, orderTicketGroupId } = await createBuyer(context, bankUrl).orders();
    const customer = (id: string): Viewer => ({ kind: 'customer', custId: id, issuedAt: 0, expiresAt: 0 });
    const counted = async (viewer: Viewer | null, names: Parameters<typeof findOrder>[1]) => {
      let taken = 0;
      const limits = { take: async () => void (taken += 1) };
      await findOrder({ ...context, viewer, limits }, names).catch(() => undefined);
      return taken;
    };
    const there = { orderTicketGroupId: String(orderTicketGroupId) };
    const nowhere = { orderTicketGroupId: '999999999' };
    const otherStaff = { kind: 'staff', organizationId: newId() } as Viewer;
    const legacy: Viewer = { kind: 'legacy-user', subject: 's', role: 'MEMBER', expiresAt: 0 };

    for (const viewer of [null, customer(newId()), otherStaff]) {
      expect(await counted(viewer, there)).toBe(1);
      expect(await counted(viewer, { orderNo, email: 'x@example.my' })).toBe(1);
      expect(await counted(viewer, { orderNo })).toBe(0);
    }
    for (const viewer of [customer(custId), otherStaff, legacy]) expect(await counted(viewer, nowhere)).toBe(1);
    for (const viewer of [customer(custId), legacy, { kind: 'service' } as const]) {
      expect(await counted(viewer, there)).toBe(0);
    }
  });

  it('is shown by its number as in lists to staff who see the orders of all organizations', async () => {
    const { context, bankUrl } = ticketing;
    const { orderNo, orderTicketGroupId } = await createBuyer(context, bankUrl).orders();
    const legacy: Context = { ...context, viewer: { kind: 'legacy-user', subject: 's', role: 'MEMBER', expiresAt: 0 } };
    const platform: Context = {
      ...context,
      viewer: { kind: 'staff', organizationId: newId() } as Viewer,
      permissions: { ...context.permissions, onPlatform: async () => new Set(['org:manage']) },
    };

    for (const staff of [legacy, platform]) {
      const listed = (await listOrders(staff, { filter: { query: orderNo } })).edges[0]?.node;
      expect(await findOrder(staff, { orderTicketGroupId: String(orderTicketGroupId) })).toEqual(listed);
      expect(await findOrder(staff, { orderNo })).toEqual(listed);
      expect(listed?.seenBy).toBe('staff');
    }
  });
});
