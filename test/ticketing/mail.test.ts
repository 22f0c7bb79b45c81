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

describe('the confirmation', { timeout: 240_000 }, () => {
  it.each([
    ['BM', 'Tiket anda: '],
    ['EN', 'Your tickets: '],
    ['CN', '您的门票：'],
  ])('comes once, in the language %s that was chosen, with the tickets as PDF', async (langChosen, subject) => {
    const address = `buyer-${langChosen.toLowerCase()}@example.test`;
    const orderNo = await paidOrder(stage, address, { langChosen });

    await until('the mail', isSent(stage, orderNo));

    const mails = await stage.mailsTo(address);
    expect(mails.map((mail) => [mail.subject.startsWith(subject), mail.messageId])).toEqual([
      [true, `confirm.${orderNo}@foyer.test`],
    ]);
    expect(mails[0]?.attachments).toMatchObject([{ contentType: 'application/pdf', fileName: `${orderNo}.pdf` }]);
    const logs = (await orderWithAll(stage.db, orderNo)).logs.filter(({ title }) => title === 'Email Sent');
    expect(logs).toHaveLength(1);
  });

  it('shows a name as a name, whatever it holds', async () => {
    const orderNo = await paidOrder(stage, 'html@example.test', { buyerName: '<img src=x onerror=alert(1)> "&' });
    await until('the mail', isSent(stage, orderNo));

    const [mail] = await stage.mailsTo('html@example.test');
    expect(mail?.html).toContain('&lt;img src=x onerror=alert(1)&gt; &quot;&amp;');
    expect(mail?.html).not.toContain('<img');
  });

  it('waits for a mail server that is down, and is then sent once', async () => {
    await stage.mail.shut();
    const orderNo = await paidOrder(stage, 'down@example.test');
    await until('two tries', async () => ((await deliveryOf(stage, orderNo))?.attempts ?? 0) >= 2, patiently);
    expect(await deliveryOf(stage, orderNo)).toMatchObject({
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

    await until('the mail', isSent(stage, orderNo), patiently);
    expect(await stage.mailsTo('down@example.test')).toHaveLength(1);
  });
});
