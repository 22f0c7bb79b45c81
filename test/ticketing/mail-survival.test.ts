import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { deliveryOf, isSent, paidOrder, patiently } from '../support/owed-mail.ts';
import { send } from '../support/fixtures/people.ts';
import { startCrashFixture, orderWithAll, type CrashFixture } from '../support/servers/crash-fixture.ts';
import { until } from '../support/until.ts';

let fixture: CrashFixture;

beforeAll(async () => {
  fixture = await startCrashFixture();
});
afterAll(() => fixture?.close());

describe('kill -9 around a mail', () => {
  it('while the mail is handed over: the next process sends it, once', async () => {
    fixture.mail.hush();
    const orderNo = await paidOrder(fixture.server, 'handed@example.test');
    await until('the mail to be under way', () => isHeld(orderNo), patiently);

    await fixture.server.kill();
    await fixture.mail.open();
    fixture.server = await fixture.server.restart();

    await until('the mail', isSent(fixture.db, orderNo), patiently);
    expect(await fixture.mailsTo('handed@example.test')).toHaveLength(1);
  });

  it('after the mail server took it, before that is recorded: it may come twice, and is then the same mail', async () => {
    fixture.mail.swallowReceipt();
    const orderNo = await paidOrder(fixture.server, 'taken@example.test');
    await until(
      'the mail server to have it',
      async () => (await fixture.mailsTo('taken@example.test')).length === 1,
      patiently,
    );

    await fixture.server.kill();
    await fixture.mail.open();
    fixture.server = await fixture.server.restart();

    await until('the mail', isSent(fixture.db, orderNo), patiently);
    const mails = await fixture.mailsTo('taken@example.test');
    expect(mails.map(({ messageId }) => messageId)).toEqual(Array(2).fill(`confirm.${orderNo}@foyer.test`));
    const order = await orderWithAll(fixture.db, orderNo);
    expect(order.logs.filter(({ title }) => title === 'Email Sent')).toHaveLength(1);
  });

  it('after it was sent and recorded: nothing more is sent', async () => {
    const orderNo = await paidOrder(fixture.server, 'done@example.test');
    await until('the mail', isSent(fixture.db, orderNo), patiently);

    await fixture.killAndRestart();
    const next = await paidOrder(fixture.server, 'next@example.test');
    await until('the mail after it', isSent(fixture.db, next), patiently);

    expect(await fixture.mailsTo('done@example.test')).toHaveLength(1);
  });
});

describe('a mail server that is down', () => {
  it('causes retries, and the mail is then sent once', async () => {
    await fixture.mail.shut();
    const orderNo = await paidOrder(fixture.server, 'down@example.test');
    await until('two tries', async () => ((await deliveryOf(fixture.db, orderNo))?.attempts ?? 0) >= 2, patiently);
    expect(await deliveryOf(fixture.db, orderNo)).toMatchObject({
      state: 'QUEUED',
      lastError: expect.stringMatching(/ECONNREFUSED/),
    });
    const { json } = await send(
      fixture.server,
      'GET',
      `/api/orderNonMemberInquiry?email=down@example.test&orderNo=${orderNo}`,
    );
    expect(json).toMatchObject({ transactionStatus: 'SUCCESS', isEmailSent: false });

    await fixture.mail.open();

    await until('the mail', isSent(fixture.db, orderNo), patiently);
    expect(await fixture.mailsTo('down@example.test')).toHaveLength(1);
  });
});

/** Whether the row of its mail is locked: somebody is sending it at this moment. */
async function isHeld(orderNo: string): Promise<boolean> {
  const delivery = await deliveryOf(fixture.db, orderNo);
  if (!delivery) return false;
  const free = await fixture.db.$queryRaw<unknown[]>`
    SELECT 1 FROM ticketing.delivery WHERE delivery_id = ${delivery.deliveryId} FOR UPDATE SKIP LOCKED`;
  return free.length === 0;
}
