import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { aBuyer } from '../testing/buyer.ts';
import { openScratchHouse, type ScratchHouse } from '../testing/scratch-house.ts';
import { findOrder } from './find-order.ts';

let house: ScratchHouse;
beforeAll(async () => {
  house = await openScratchHouse();
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
});
