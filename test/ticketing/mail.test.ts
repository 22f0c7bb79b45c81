import { randomUUID } from 'node:crypto';

import { openDatabase, type PrismaClient } from '@foyer/prisma/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { mailsTo } from '../support/servers/inbox.ts';
import { isSent, paidOrder } from '../support/owed-mail.ts';
import { sharedServer, type SharedServer } from '../support/servers/shared-server.ts';
import { orderWithAll } from '../support/servers/crash-fixture.ts';
import { until } from '../support/until.ts';

let server: SharedServer;
let db: PrismaClient;

beforeAll(async () => {
  server = await sharedServer();
  db = openDatabase(server.databaseUrl);
});
afterAll(() => db.$disconnect());

const aBuyer = () => `buyer-${randomUUID()}@example.test`;

describe('the confirmation', () => {
  it.each([
    ['BM', 'Tiket anda: '],
    ['EN', 'Your tickets: '],
    ['CN', '您的门票：'],
  ])('comes once, in the chosen language %s, with the tickets as PDF', async (langChosen, subject) => {
    const address = aBuyer();
    const orderNo = await paidOrder(server, address, { langChosen });

    await until('the mail', isSent(db, orderNo));

    const mails = await mailsTo(server, address);
    expect(mails.map((mail) => [mail.subject.startsWith(subject), mail.messageId])).toEqual([
      [true, `confirm.${orderNo}@foyer.test`],
    ]);
    expect(mails[0]?.attachments).toMatchObject([
      { contentType: 'application/pdf', fileName: `${orderNo}.pdf` },
      { contentType: 'text/calendar', fileName: 'visit.ics' },
    ]);
    const logs = (await orderWithAll(db, orderNo)).logs.filter(({ title }) => title === 'Email Sent');
    expect(logs).toHaveLength(1);
  });

  it('escapes a name, whatever it contains', async () => {
    const address = aBuyer();
    const orderNo = await paidOrder(server, address, { buyerName: '<img src=x onerror=alert(1)> "&' });
    await until('the mail', isSent(db, orderNo));

    const [mail] = await mailsTo(server, address);
    expect(mail?.html).toContain('&lt;img src=x onerror=alert(1)&gt; &quot;&amp;');
    expect(mail?.html).not.toContain('<img');
  });
});
