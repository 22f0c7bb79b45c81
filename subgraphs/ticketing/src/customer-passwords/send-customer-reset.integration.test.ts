import type { Worker } from '@foyer/shared/jobs/job';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { openScratchTicketing, type ScratchTicketing } from '../testing/scratch-ticketing.ts';
import { customerResetWorkers } from './send-customer-reset.ts';

let ticketing: ScratchTicketing;
beforeAll(async () => {
  ticketing = await openScratchTicketing();
}, 60_000);
afterAll(() => ticketing.stop());

const email = 'siti@example.my';
const run = async (worker: Worker | undefined, data: object, number = 1) =>
  worker?.run(data as never, { number, last: false, id: '1', signal: new AbortController().signal });

it('a mail that is tried again has the same link and message id, and staff is told once', async () => {
  const { db } = ticketing.context;
  await db.customer.create({ data: { email, fullName: 'Siti', hasLogin: true, idpUserId: '1' } });
  const sent: string[] = [];
  const mailer = {
    async send({ messageId }: { messageId?: string }) {
      sent.push(messageId ?? '');
      if (sent.length < 3) throw new Error('the mail server is away');
    },
  };
  const [make, mail] = customerResetWorkers({ ...ticketing.context, mailer });

  await run(make, { email, langChosen: 'en' });
  const { id: linkId } = await db.customerLink.findFirstOrThrow({ where: { kind: 'reset' } });
  const tries = [];
  for (let count = 0; count < 3; count += 1) tries.push(run(mail, { linkId, langChosen: 'en' }));
  const outcomes = (await Promise.allSettled(tries)).map(({ status }) => status);

  expect(outcomes).toEqual(['rejected', 'rejected', 'fulfilled']);
  expect(new Set(sent)).toEqual(new Set([`<reset.${linkId}@foyer.test>`]));
  expect(await db.customerLink.count({ where: { kind: 'reset' } })).toBe(1);
  expect(await db.notification.count({ where: { title: 'Password reset' } })).toBe(1);
});

it('of several links that a customer asked for, the last one is valid', async () => {
  const { db } = ticketing.context;
  const { custId } = await db.customer.create({
    data: { email: 'mei@example.my', fullName: 'Mei', hasLogin: true, idpUserId: '2' },
  });
  const links = async () => (await db.customerLink.findMany({ where: { custId } })).map(({ id }) => id);
  const [make] = customerResetWorkers(ticketing.context);

  const someone = { email: 'mei-too@example.my', fullName: 'Mei', hasLogin: true, idpUserId: '5' };
  const { custId: other } = await db.customer.create({ data: someone });
  await run(make, { email: someone.email, langChosen: 'en' });

  await run(make, { email: 'mei@example.my', langChosen: 'en' });
  const [first] = await links();
  await run(make, { email: 'mei@example.my', langChosen: 'en' });

  expect(await links()).toEqual([expect.any(String)]);
  expect(await links()).not.toContain(first);
  expect(await db.customerLink.count({ where: { custId: other } })).toBe(1);
});

it.each([
  ['guest', { hasLogin: false }],
  ['disabled customer', { hasLogin: true, idpUserId: '3', isDisabled: true }],
])('a %s gets no link', async (who, data) => {
  const { db } = ticketing.context;
  const { custId, email } = await db.customer.create({ data: { email: `${who}@example.my`, fullName: who, ...data } });
  const [make] = customerResetWorkers(ticketing.context);

  await run(make, { email, langChosen: 'en' });

  expect(await db.customerLink.count({ where: { custId } })).toBe(0);
});

it('a request whose job is tried again counts once against the limit', async () => {
  const { db } = ticketing.context;
  await db.customer.create({ data: { email: 'raj@example.my', fullName: 'Raj', hasLogin: true, idpUserId: '4' } });
  let counted = 0;
  const mayMail = async () => {
    counted += 1;
    return { giveBack: async () => undefined };
  };
  const customerDirectory = { ...ticketing.context.customerDirectory, mayMail };
  const [make] = customerResetWorkers({ ...ticketing.context, customerDirectory });

  for (const number of [1, 2, 3]) await run(make, { email: 'raj@example.my', langChosen: 'en' }, number);

  expect(counted).toBe(1);
});

it('no mail has a link that was used meanwhile, or has expired', async () => {
  const { db, clock } = ticketing.context;
  const { custId } = await db.customer.create({ data: { email: 'ali@example.my', fullName: 'Ali' } });
  const soon = new Date(clock.now().getTime() + 60_000);
  const sent: string[] = [];
  const mailer = { send: async ({ to }: { to: string }) => void sent.push(to) };
  const [, mail] = customerResetWorkers({ ...ticketing.context, mailer });
  for (const state of [{ expiresAt: soon, usedAt: clock.now() }, { expiresAt: clock.now() }, { expiresAt: soon }]) {
    const { id: linkId } = await db.customerLink.create({ data: { kind: 'reset', custId, ...state } });
    await run(mail, { linkId, langChosen: 'en' });
  }

  expect(sent).toEqual(['ali@example.my']);
});
