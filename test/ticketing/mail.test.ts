import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { payAtTheBank, placeOrder } from '../support/bank.ts';
import { send, signInCustomer } from '../support/people.ts';
import { openStage, orderWithAll, type Stage } from '../support/stage.ts';
import { until } from '../support/until.ts';

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage?.close());

/** A paid order; its mail is owed from now on. */
async function paidOrder(buyerEmail: string, more: object = {}) {
  const { orderNo } = await placeOrder(stage.house, await signInCustomer(stage.house), { buyerEmail, ...more });
  await payAtTheBank(stage.house, orderNo);
  return orderNo;
}

const isSent = (orderNo: string) => async () => (await orderWithAll(stage.db, orderNo)).isEmailSent;
const deliveryOf = async (orderNo: string) => (await orderWithAll(stage.db, orderNo)).deliveries[0];
const patiently = { timeoutMs: 180_000 };

describe('the confirmation', { timeout: 240_000 }, () => {
  it.each([
    ['BM', 'Tiket anda: '],
    ['EN', 'Your tickets: '],
    ['CN', '您的门票：'],
  ])('comes once, in the language %s that was chosen, with the tickets as PDF', async (langChosen, subject) => {
    const address = `buyer-${langChosen.toLowerCase()}@example.test`;
    const orderNo = await paidOrder(address, { langChosen });

    await until('the mail', isSent(orderNo));

    const mails = await stage.mailsTo(address);
    expect(mails.map((mail) => [mail.subject.startsWith(subject), mail.messageId])).toEqual([
      [true, `confirm.${orderNo}@foyer.test`],
    ]);
    expect(mails[0]?.attachments).toMatchObject([{ contentType: 'application/pdf', fileName: `${orderNo}.pdf` }]);
    const logs = (await orderWithAll(stage.db, orderNo)).logs.filter(({ title }) => title === 'Email Sent');
    expect(logs).toHaveLength(1);
  });

  it('shows a name as a name, whatever it holds', async () => {
    const orderNo = await paidOrder('html@example.test', { buyerName: '<img src=x onerror=alert(1)> "&' });
    await until('the mail', isSent(orderNo));

    const [mail] = await stage.mailsTo('html@example.test');
    expect(mail?.html).toContain('&lt;img src=x onerror=alert(1)&gt; &quot;&amp;');
    expect(mail?.html).not.toContain('<img');
  });

  it('waits for a mail server that is down, and is then sent once', async () => {
    await stage.mail.shut();
    const orderNo = await paidOrder('down@example.test');
    await until('two tries', async () => ((await deliveryOf(orderNo))?.attempts ?? 0) >= 2, patiently);
    expect(await deliveryOf(orderNo)).toMatchObject({
      state: 'QUEUED',
      lastError: expect.stringMatching(/ECONNREFUSED/),
    });
    const { json } = await send(
      stage.house,
      'GET',
      `/api/orderNonMemberInquiry?email=down@example.test&orderNo=${orderNo}`,
    );
    expect(json).toMatchObject({ transactionStatus: 'SUCCESS', isEmailSent: false });

    await stage.mail.open();

    await until('the mail', isSent(orderNo), patiently);
    expect(await stage.mailsTo('down@example.test')).toHaveLength(1);
  });
});

describe('kill -9', { timeout: 240_000 }, () => {
  it('while the mail is handed over: it is sent by the next one, once', async () => {
    stage.mail.hush();
    const orderNo = await paidOrder('handed@example.test');
    await until('the mail to be under way', () => isHeld(orderNo));

    await stage.house.kill();
    await stage.mail.open();
    stage.house = await stage.house.restart();

    await until('the mail', isSent(orderNo), patiently);
    expect(await stage.mailsTo('handed@example.test')).toHaveLength(1);
  });

  it('after the mail server took it, before we knew: it may come twice, and is then the same mail', async () => {
    stage.mail.swallowReceipt();
    const orderNo = await paidOrder('taken@example.test');
    await until('the mail server to have it', async () => (await stage.mailsTo('taken@example.test')).length === 1);

    await stage.house.kill();
    await stage.mail.open();
    stage.house = await stage.house.restart();

    await until('the mail', isSent(orderNo), patiently);
    const mails = await stage.mailsTo('taken@example.test');
    expect(mails.map(({ messageId }) => messageId)).toEqual(Array(2).fill(`confirm.${orderNo}@foyer.test`));
    const order = await orderWithAll(stage.db, orderNo);
    expect(order.logs.filter(({ title }) => title === 'Email Sent')).toHaveLength(1);
  });

  it('after it was sent and written down: nothing more is sent', async () => {
    const orderNo = await paidOrder('done@example.test');
    await until('the mail', isSent(orderNo));

    await stage.killAndRestart();
    const next = await paidOrder('next@example.test');
    await until('the mail after it', isSent(next));

    expect(await stage.mailsTo('done@example.test')).toHaveLength(1);
  });
});

/** Whether the row of its mail is locked: somebody is sending it at this moment. */
async function isHeld(orderNo: string): Promise<boolean> {
  const delivery = await deliveryOf(orderNo);
  if (!delivery) return false;
  const free = await stage.db.$queryRaw<unknown[]>`
    SELECT 1 FROM ticketing.delivery WHERE delivery_id = ${delivery.deliveryId} FOR UPDATE SKIP LOCKED`;
  return free.length === 0;
}
