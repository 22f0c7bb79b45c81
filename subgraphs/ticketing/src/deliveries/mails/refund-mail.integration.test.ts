import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Mail } from '@foyer/shared/mail/mailer';
import { createOrder } from '../../checkout/create-order.ts';
import { createBuyer } from '../../testing/buyer-fixture.ts';
import { openScratchTicketing, type ScratchTicketing } from '../../testing/scratch-ticketing.ts';
import { refundMail } from './refund-mail.ts';
import { sendRefundNotice } from '../send-refund-notice.ts';

const order = { orderNo: 'ORD-1', buyerName: 'Siti <b>& Ali</b>', totalAmountSen: 10_000n };

describe('the notice of a refund', () => {
  it.each([
    ['bm', 'Bayaran balik untuk pesanan ORD-1', 'dikembalikan sepenuhnya'],
    ['en', 'Refund for order ORD-1', 'full amount back'],
    ['cn', '订单 ORD-1 的退款', '全额退款'],
  ])('is written in %s', (langChosen, subject, words) => {
    const mail = refundMail({ ...order, langChosen });

    expect(mail.subject).toBe(subject);
    for (const body of [mail.text, mail.html]) {
      expect(body).toContain(words);
      expect(body).toContain('RM 100.00');
      expect(body).toContain('ORD-1');
    }
  });

  it('escapes a name', () => {
    const { html, text } = refundMail({ ...order, langChosen: 'en' });

    expect(html).toContain('Siti &lt;b&gt;&amp; Ali&lt;/b&gt;');
    expect(text).toContain('Siti <b>& Ali</b>');
  });
});

describe('a buyer whose money came when no place was left', () => {
  let ticketing: ScratchTicketing;
  let later = 0;
  beforeAll(async () => {
    ticketing = await openScratchTicketing({ clock: { now: () => new Date(Date.now() + later) } });
  }, 60_000);
  afterAll(() => ticketing.stop());

  it('gets a mail about it, without tickets', async () => {
    const { context } = ticketing;
    const buyer = createBuyer(context, ticketing.bankUrl);
    const { orderNo, input } = await buyer.orders({ dailyCapacity: 2 });
    await buyer.pays(orderNo);
    later += 31 * 60_000;
    await buyer.returns(await buyer.bank(orderNo, 'reject'));
    await createOrder(context, { input, idempotencyKey: randomUUID() });
    await buyer.returns(await buyer.bank(orderNo, 'approve'));
    const [owed] = (await buyer.order(orderNo)).deliveries;
    const sent: Mail[] = [];

    const mailer = { send: async (mail: Mail) => void sent.push(mail) };
    await sendRefundNotice({ ...context, mailer }, { deliveryId: String(owed?.deliveryId) }, { last: false });

    expect(sent).toMatchObject([{ to: 'siti@example.my', messageId: `<refund.${orderNo}@foyer.test>` }]);
    expect(sent[0]?.attachments).toBeUndefined();
    const { isEmailSent, deliveries, logs } = await buyer.order(orderNo);
    expect([isEmailSent, deliveries.map(({ state }) => state)]).toEqual([false, ['SENT']]);
    expect(logs.map(({ title }) => title)).toContain('Email Sent');
  });
});
