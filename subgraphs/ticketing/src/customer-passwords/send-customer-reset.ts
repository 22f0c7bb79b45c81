import { defineJob, worker, type Attempt } from '@foyer/shared/jobs/job';
import { messageIdOf } from '@foyer/shared/mail/mailer';
import { z } from 'zod';

import type { Services } from '../context.ts';
import { notifyOfCustomer } from '../notifications/notify-of-customer.ts';
import { customerMail } from '../customer-mails/customer-mail.ts';
import { LINK_SECONDS } from '../links/customer-links.ts';

type Needs = Pick<Services, 'db' | 'clock' | 'mailer' | 'settings' | 'customerDirectory' | 'customerLinks'>;

export const sendCustomerResetJob = defineJob({
  name: 'ticketing.send-customer-reset',
  data: z.object({ email: z.string(), langChosen: z.enum(['bm', 'en', 'cn']) }),
  retries: 8,
  retryDelaySeconds: 5,
});

export const customerResetWorker = (services: Needs) =>
  worker(sendCustomerResetJob, (data, attempt) => sendReset(services, data, attempt));

/** Mails a link to the customer with this address, if there is one with a login; earlier links become invalid. */
async function sendReset(
  { db, clock, mailer, settings, customerDirectory, customerLinks }: Needs,
  { email, langChosen }: z.output<typeof sendCustomerResetJob.data>,
  { id: attempt, number }: Pick<Attempt, 'id' | 'number'>,
): Promise<void> {
  const customer = await db.customer.findFirst({ where: { email, hasLogin: true, isDisabled: false } });
  if (!customer) return;
  // Counted once, however often the job is retried, and only when there is an account.
  if (number === 1 && !(await customerDirectory.mayMail('reset', customer.custId))) return;
  const { custId, fullName: name } = customer;
  const now = clock.now();
  const expiresAt = new Date(now.getTime() + LINK_SECONDS * 1_000);
  const link = await db.$transaction(async (tx) => {
    await tx.customerLink.deleteMany({ where: { custId, kind: 'reset' } });
    const say = (known: string) => `A link to choose a new password was sent to ${known}.`;
    await notifyOfCustomer(tx, customer, { type: 'Password reset', title: 'Password reset', say, at: now });
    return tx.customerLink.create({ data: { kind: 'reset', custId, expiresAt } });
  });
  const mail = customerMail('reset', langChosen, { name, url: customerLinks.urlOf(link) });
  await mailer.send({ ...mail, to: email, messageId: messageIdOf(`reset.${link.id}.${attempt}`, settings.mailFrom) });
}
