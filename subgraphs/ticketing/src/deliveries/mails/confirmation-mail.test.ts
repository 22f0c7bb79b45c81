import { describe, expect, it } from 'vitest';
import { messageIdOf } from '@foyer/shared/mail/mailer';

import type { Receipt } from '../../receipts/pdf/receipt.ts';
import { confirmationMail } from './confirmation-mail.ts';

const receipt: Receipt = {
  language: 'en',
  orderNo: 'ORD-20261224-0123456789ABC',
  buyerName: 'Siti binti Ahmad',
  buyerEmail: 'siti@example.my',
  groupName: 'Night & Day',
  location: 'Kuala Lumpur',
  organiser: '',
  admitDate: new Date('2026-12-24T00:00:00Z'),
  lines: [{ name: 'Adult', variant: '', quantity: 2, unitPriceSen: 4_500n }],
  totalSen: 9_000n,
  paidAt: new Date('2026-12-01T00:00:00Z'),
  bankName: '',
  gatewayTransactionId: '',
  tickets: [],
};
const publicUrl = 'https://foyer.example';

describe('a confirmation', () => {
  it('says in plain text what was bought, for how much, and where the tickets are', () => {
    expect(confirmationMail(receipt, publicUrl).text).toBe(`Hello Siti binti Ahmad,

Thank you, your payment has arrived.
Your tickets are attached as a PDF. Show the QR code at the entrance.

Night & Day
Admit date: Thursday, 24 December 2026
Location: Kuala Lumpur
Order no.: ORD-20261224-0123456789ABC

2 × Adult
Total: RM 90.00

Open receipt & tickets: https://foyer.example/pdf/receipt?orderNo=ORD-20261224-0123456789ABC&lang=en

--
Foyer. This e-mail was sent automatically for your order.
`);
  });

  it.each([
    ['bm', 'Tiket anda: Night & Day, Khamis, 24 Disember 2026'],
    ['en', 'Your tickets: Night & Day, Thursday, 24 December 2026'],
    ['cn', '您的门票：Night & Day，2026年12月24日星期四'],
  ] as const)('speaks %s, and so does the page behind its link', (language, subject) => {
    const mail = confirmationMail({ ...receipt, language }, publicUrl);
    expect(mail.subject).toBe(subject);
    expect(mail.html).toContain(`&amp;lang=${language}"`);
  });

  it('shows a name as it is written, and escapes it', () => {
    const buyerName = `<img src=x onerror="alert('1')"> & Sons`;

    const mail = confirmationMail({ ...receipt, buyerName }, publicUrl);

    expect(mail.html).toContain('&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt; &amp; Sons');
    expect(mail.html).not.toContain('<img');
    expect(mail.text).toContain(buyerName);
  });

  it('does not treat a name as a template', () => {
    const mail = confirmationMail({ ...receipt, groupName: '<%= process.env %>' }, publicUrl);

    expect(mail.html).toContain('&lt;%= process.env %&gt;');
  });

  it('mentions no payment when nothing was paid', () => {
    const { text } = confirmationMail({ ...receipt, totalSen: 0n }, publicUrl);

    expect(text).toContain('your order is confirmed');
    expect(text).toContain('Total: Free');
  });

  it('has the same message id at each attempt', () => {
    expect(messageIdOf('confirm.ORD-1', 'Foyer <tickets@foyer.test>')).toBe('<confirm.ORD-1@foyer.test>');
  });
});
