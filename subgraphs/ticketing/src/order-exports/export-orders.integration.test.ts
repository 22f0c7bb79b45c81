import { afterAll, beforeAll, expect, it } from 'vitest';

import { createBuyer } from '../testing/buyer-fixture.ts';
import { openScratchTicketing, type ScratchTicketing } from '../testing/scratch-ticketing.ts';
import { exportLines } from './export-orders.ts';

let ticketing: ScratchTicketing;
beforeAll(async () => {
  ticketing = await openScratchTicketing();
}, 60_000);
afterAll(() => ticketing.stop());

it('an export holds every order once, newest first, however many there are', async () => {
  const MANY = 1_100;
  const { context, bankUrl } = ticketing;
  const { orderNo } = await createBuyer(context, bankUrl).orders();
  await context.db.$executeRaw`
    INSERT INTO ticketing.order_ticket_group (ticket_group_id, organization_id, workspace_id, cust_id, lang_chosen,
      transaction_id, order_no, bill_id, product_id, total_amount_sen, quantity, buyer_name, buyer_email, admit_date,
      updated_at)
    SELECT ticket_group_id, organization_id, workspace_id, cust_id, lang_chosen, gen_random_uuid(), order_no || n,
      bill_id || n, product_id, total_amount_sen, 1, buyer_name, buyer_email, admit_date, updated_at
    FROM ticketing.order_ticket_group, generate_series(2, ${MANY}::int) n WHERE order_no = ${orderNo}`;

  const lines = await Array.fromAsync(exportLines(context, { scope: {}, filter: {} }));

  const all = await context.db.orderTicketGroup.findMany({ orderBy: { orderTicketGroupId: 'desc' } });
  expect(all).toHaveLength(MANY);
  expect(lines.map((line) => line.orderNo)).toEqual(all.map((order) => order.orderNo));
});
