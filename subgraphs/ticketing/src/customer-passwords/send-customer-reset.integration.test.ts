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
const run = async (worker: Worker | undefined, data: object) =>
  worker?.run(data as never, { number: 1, last: false, id: '1', signal: new AbortController().signal });

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
