import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createBuyer } from '../testing/buyer-fixture.ts';
import { openScratchTicketing, type ScratchTicketing } from '../testing/scratch-ticketing.ts';
import { auditReservations, findDiscrepancies } from './audit-reservations.ts';
import { nextWeek, createGuest, createTicketGroupOnSale } from '../testing/storefront-fixture.ts';
import { createOrder } from './create-order.ts';

let ticketing: ScratchTicketing;
let buyer: ReturnType<typeof createBuyer>;
beforeAll(async () => {
  ticketing = await openScratchTicketing();
  buyer = createBuyer(ticketing.context, ticketing.bankUrl);
}, 60_000);
afterAll(() => ticketing.stop());

/** Reads the server's log. */
function listeningLog() {
  const errors: unknown[] = [];
  const { log } = ticketing.context;
  const child = log.child({}, { level: 'silent' });
  child.error = (fact: unknown) => void errors.push(fact);
  return { log: child, errors };
}

describe('the nightly audit of reservations', () => {
  it('reports nothing while every day holds the sum of its orders in INITIATED, PENDING, SUCCESS and FREE', async () => {
    const [initiated, paid, rejected] = [await buyer.orders(), await buyer.orders(), await buyer.orders()];
    for (const { orderNo } of [paid, rejected]) await buyer.pays(orderNo);
    await buyer.returns(await buyer.bank(paid.orderNo, 'approve'));
    await buyer.returns(await buyer.bank(rejected.orderNo, 'reject'));
    const { log, errors } = listeningLog();

    await auditReservations({ ...ticketing.context, log });

    expect(await Promise.all([initiated, paid, rejected].map((order) => buyer.reserved(order)))).toEqual([2, 2, 0]);
    expect(errors).toEqual([]);
    expect(await ticketing.context.db.notification.count({ where: { type: 'Report' } })).toBe(0);
  });

  it('reports a day with a wrong count to the log and to staff', async () => {
    const order = await buyer.orders();
    const { ticketGroupId, workspaceId } = order;
    await ticketing.context.db.dailyCapacity.updateMany({ where: { ticketGroupId }, data: { reserved: 5 } });
    const { log, errors } = listeningLog();

    await auditReservations({ ...ticketing.context, log });

    expect(errors).toMatchObject([{ ticketGroupId, admitDate: nextWeek(), reserved: 5, ordered: 2 }]);
    const told = await ticketing.context.db.notification.findMany({ where: { workspaceId, type: 'Report' } });
    expect(told).toMatchObject([
      {
        title: 'Capacity does not add up',
        message: expect.stringContaining('holds 5 places'),
        authorityLevel: 'system',
      },
    ]);
    await ticketing.context.db.dailyCapacity.updateMany({ where: { ticketGroupId }, data: { reserved: 2 } });
  });

  it('finds a day without its row, and a variant that holds too much', async () => {
    const lost = await buyer.orders();
    await ticketing.context.db.dailyCapacity.deleteMany({ where: { ticketGroupId: lost.ticketGroupId } });
    const { db } = ticketing.context;
    const { ticketGroupId, itemId } = await createTicketGroupOnSale(db, { dailyCapacity: 10, variantCapacity: 5 });
    const buys = { buyerName: 'Siti', buyerEmail: 'siti@example.my', items: [{ itemId, quantityBought: 1 }] };
    await createOrder(ticketing.context, {
      input: { ...buys, ticketGroupId, custId: await createGuest(db), admitDate: nextWeek() },
    });
    const { ticketVariantId } = await db.ticketVariant.findFirstOrThrow({ where: { itemId } });
    expect(await findDiscrepancies({ db })).toMatchObject([
      { ticketGroupId: lost.ticketGroupId, reserved: 0, ordered: 2 },
    ]);

    await db.variantDailyCapacity.updateMany({ where: { ticketVariantId }, data: { reserved: 3 } });

    expect(await findDiscrepancies({ db })).toContainEqual(
      expect.objectContaining({ ticketVariantId, reserved: 3, ordered: 1 }),
    );
  });
});
