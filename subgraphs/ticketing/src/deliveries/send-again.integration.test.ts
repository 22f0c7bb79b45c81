import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { resendTickets } from './resend-tickets.ts';
import { createBuyer } from '../testing/buyer-fixture.ts';
import { openScratchTicketing, type ScratchTicketing } from '../testing/scratch-ticketing.ts';
import { sendAgain } from './send-again.ts';

let ticketing: ScratchTicketing;
beforeAll(async () => {
  ticketing = await openScratchTicketing();
}, 60_000);
afterAll(() => ticketing.stop());

describe('tickets that are mailed once more', () => {
  it('do not disturb isEmailSent: it tells only whether the confirmation was sent', async () => {
    const { context, bankUrl } = ticketing;
    const buyer = createBuyer(context, bankUrl);
    const { orderNo } = await buyer.orders();
    await buyer.pays(orderNo);
    await buyer.returns(await buyer.bank(orderNo, 'approve'));

    await resendTickets(context, { orderNo, email: 'siti@example.my' });
    const again = (await buyer.order(orderNo)).deliveries.find(({ kind }) => kind === 'resend');
    await sendAgain(context, { deliveryId: String(again?.deliveryId) }, { last: false });

    const { deliveries, isEmailSent, logs } = await buyer.order(orderNo);
    expect(Object.fromEntries(deliveries.map(({ kind, state }) => [kind, state]))).toEqual({
      confirmation: 'QUEUED',
      resend: 'SENT',
    });
    expect(isEmailSent).toBe(false);
    expect(logs.map(({ title }) => title)).toContain('Resend asked for');
  });
});
