import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { deliveryOf, isSent, paidOrder, patiently } from '../support/owed-mail.ts';
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
    const orderNo = await paidOrder(stage, 'handed@example.test');
    await until('the mail to be under way', () => isHeld(orderNo), patiently);

    await stage.house.kill();
    await stage.mail.open();
    stage.house = await stage.house.restart();

    await until('the mail', isSent(stage, orderNo), patiently);
    expect(await stage.mailsTo('handed@example.test')).toHaveLength(1);
  });

  it('after the mail server took it, before we knew: it may come twice, and is then the same mail', async () => {
    stage.mail.swallowReceipt();
    const orderNo = await paidOrder(stage, 'taken@example.test');
    await until(
      'the mail server to have it',
      async () => (await stage.mailsTo('taken@example.test')).length === 1,
      patiently,
    );

    await stage.house.kill();
    await stage.mail.open();
    stage.house = await stage.house.restart();

    await until('the mail', isSent(stage, orderNo), patiently);
    const mails = await stage.mailsTo('taken@example.test');
    expect(mails.map(({ messageId }) => messageId)).toEqual(Array(2).fill(`confirm.${orderNo}@foyer.test`));
    const order = await orderWithAll(stage.db, orderNo);
    expect(order.logs.filter(({ title }) => title === 'Email Sent')).toHaveLength(1);
  });

  it('after it was sent and written down: nothing more is sent', async () => {
    const orderNo = await paidOrder(stage, 'done@example.test');
    await until('the mail', isSent(stage, orderNo), patiently);

    await stage.killAndRestart();
    const next = await paidOrder(stage, 'next@example.test');
    await until('the mail after it', isSent(stage, next), patiently);

    expect(await stage.mailsTo('done@example.test')).toHaveLength(1);
  });
});

/** Whether the row of its mail is locked: somebody is sending it at this moment. */
async function isHeld(orderNo: string): Promise<boolean> {
  const delivery = await deliveryOf(stage, orderNo);
  if (!delivery) return false;
  const free = await stage.db.$queryRaw<unknown[]>`
    SELECT 1 FROM ticketing.delivery WHERE delivery_id = ${delivery.deliveryId} FOR UPDATE SKIP LOCKED`;
  return free.length === 0;
}
