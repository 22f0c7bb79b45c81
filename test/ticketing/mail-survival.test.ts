import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { deliveryOf, isSent, paidOrder, patiently } from '../support/owed-mail.ts';
import { send } from '../support/people.ts';
import { openStage, orderWithAll, type Stage } from '../support/stage.ts';
import { until } from '../support/until.ts';

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage?.close());

describe('kill -9 around a mail', { timeout: 240_000 }, () => {
  it('while the mail is handed over: it is sent by the next one, once', async () => {
    stage.mail.hush();
    const orderNo = await paidOrder(stage.house, 'handed@example.test');
    await until('the mail to be under way', () => isHeld(orderNo), patiently);

    await stage.house.kill();
    await stage.mail.open();
    stage.house = await stage.house.restart();

    await until('the mail', isSent(stage.db, orderNo), patiently);
    expect(await stage.mailsTo('handed@example.test')).toHaveLength(1);
  });

  it('after the mail server took it, before we knew: it may come twice, and is then the same mail', async () => {
    stage.mail.swallowReceipt();
    const orderNo = await paidOrder(stage.house, 'taken@example.test');
    await until(
      'the mail server to have it',
      async () => (await stage.mailsTo('taken@example.test')).length === 1,
      patiently,
    );

    await stage.house.kill();
    await stage.mail.open();
    stage.house = await stage.house.restart();

    await until('the mail', isSent(stage.db, orderNo), patiently);
    const mails = await stage.mailsTo('taken@example.test');
    expect(mails.map(({ messageId }) => messageId)).toEqual(Array(2).fill(`confirm.${orderNo}@foyer.test`));
    const order = await orderWithAll(stage.db, orderNo);
    expect(order.logs.filter(({ title }) => title === 'Email Sent')).toHaveLength(1);
  });

  it('after it was sent and written down: nothing more is sent', async () => {
    const orderNo = await paidOrder(stage.house, 'done@example.test');
    await until('the mail', isSent(stage.db, orderNo), patiently);

    await stage.killAndRestart();
    const next = await paidOrder(stage.house, 'next@example.test');
    await until('the mail after it', isSent(stage.db, next), patiently);

    expect(await stage.mailsTo('done@example.test')).toHaveLength(1);
  });
});

describe('a mail server that is down', { timeout: 240_000 }, () => {
  it('is waited for, and the mail is then sent once', async () => {
    await stage.mail.shut();
    const orderNo = await paidOrder(stage.house, 'down@example.test');
    await until('two tries', async () => ((await deliveryOf(stage.db, orderNo))?.attempts ?? 0) >= 2, patiently);
    expect(await deliveryOf(stage.db, orderNo)).toMatchObject({
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

    await until('the mail', isSent(stage.db, orderNo), patiently);
    expect(await stage.mailsTo('down@example.test')).toHaveLength(1);
  });
});

/** Whether the row of its mail is locked: somebody is sending it at this moment. */
async function isHeld(orderNo: string): Promise<boolean> {
  const delivery = await deliveryOf(stage.db, orderNo);
  if (!delivery) return false;
  const free = await stage.db.$queryRaw<unknown[]>`
    SELECT 1 FROM ticketing.delivery WHERE delivery_id = ${delivery.deliveryId} FOR UPDATE SKIP LOCKED`;
  return free.length === 0;
}
