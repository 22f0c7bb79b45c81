import { newId } from '@foyer/shared/ids';
import type { Viewer } from '@foyer/shared/viewer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { aBuyer } from '../testing/buyer-fixture.ts';
import { openScratchTicketing, type ScratchTicketing } from '../testing/scratch-ticketing.ts';
import type { Context } from '../context.ts';
import { findOrder } from './find-order.ts';
import { listOrders } from './list-orders.ts';

let house: ScratchTicketing;
beforeAll(async () => {
  house = await openScratchTicketing();
}, 60_000);
afterAll(() => house.stop());

describe('an order that somebody looks for', () => {
  it('does not tell its secret names to who counts up the documented numbers', async () => {
    const { context, bankUrl } = house;
    const order = await aBuyer(context, bankUrl).orders();

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

  it('tells them where the documents hold: but for contact data and codes, which stay masked', async () => {
    const { context, bankUrl } = house;
    const { orderNo, transactionId, orderTicketGroupId } = await aBuyer(context, bankUrl).orders();
    const documented = { ...context, settings: { ...context.settings, namesByNumber: true } };
    const customer: Viewer = { kind: 'customer', custId: newId(), issuedAt: 0, expiresAt: 0 };

    for (const viewer of [null, customer]) {
      const counted = await findOrder({ ...documented, viewer }, { orderTicketGroupId: String(orderTicketGroupId) });

      expect(counted).toMatchObject({ orderNo, transactionId, seenBy: 'public' });
    }
  });

  it('is shown by its number as in lists to staff who see the orders of all organizations', async () => {
    const { context, bankUrl } = house;
    const { orderNo, orderTicketGroupId } = await aBuyer(context, bankUrl).orders();
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
