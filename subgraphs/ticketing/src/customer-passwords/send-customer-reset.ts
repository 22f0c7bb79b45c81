import { defineJob, worker, type Attempt } from '@foyer/shared/jobs/job';
import { messageIdOf } from '@foyer/shared/mail/mailer';
import { z } from 'zod';

import type { Services } from '../context.ts';
import { notifyOfCustomer } from '../notifications/notify-of-customer.ts';
import { customerMail } from '../customer-mails/customer-mail.ts';
import { LINK_SECONDS } from '../links/customer-links.ts';

type Needs = Pick<Services, 'db' | 'clock' | 'jobs' | 'mailer' | 'settings' | 'customerDirectory' | 'customerLinks'>;

const langChosen = z.enum(['bm', 'en', 'cn']);
const again = { retries: 8, retryDelaySeconds: 5 };

export const sendCustomerResetJob = defineJob({
  name: 'ticketing.send-customer-reset',
  data: z.object({ email: z.string(), langChosen }),
  ...again,
});
/** Apart from the one above, so that a mail that is tried again makes no other link, and tells staff nothing again. */
const mailCustomerResetJob = defineJob({
  name: 'ticketing.mail-customer-reset',
  data: z.object({ linkId: z.string(), langChosen }),
  ...again,
});

export const customerResetWorkers = (services: Needs) => [
  worker(sendCustomerResetJob, (data, attempt) => makeLink(services, data, attempt)),
  worker(mailCustomerResetJob, (data) => mailLink(services, data)),
];

/** Makes a link for the customer with this address, if there is one with a login; earlier links become invalid. */
async function makeLink(
  { db, clock, jobs, customerDirectory }: Needs,
  { email, langChosen: language }: z.output<typeof sendCustomerResetJob.data>,
  { number }: Pick<Attempt, 'number'>,
): Promise<void> {
  const customer = await db.customer.findFirst({ where: { email, hasLogin: true, isDisabled: false } });
  if (!customer) return;
  // Counted once, however often the job is retried, and only when there is an account.
  if (number === 1 && !(await customerDirectory.mayMail('reset', customer.custId))) return;
  const { custId } = customer;
  const now = clock.now();
  const expiresAt = new Date(now.getTime() + LINK_SECONDS * 1_000);
  await db.$transaction(async (tx) => {
    await tx.customerLink.deleteMany({ where: { custId, kind: 'reset' } });
    const say = (known: string) => `A link to choose a new password was sent to ${known}.`;
    await notifyOfCustomer(tx, customer, { type: 'Password reset', title: 'Password reset', say, at: now });
    const { id } = await tx.customerLink.create({ data: { kind: 'reset', custId, expiresAt } });
    await jobs.enqueue(mailCustomerResetJob, { linkId: id, langChosen: language }, { within: tx });
  });
}

async function mailLink(
  { db, clock, mailer, settings, customerLinks }: Needs,
  { linkId: id, langChosen: language }: z.output<typeof mailCustomerResetJob.data>,
): Promise<void> {
  const link = await db.customerLink.findUnique({ where: { id }, include: { customer: true } });
  if (!link || link.usedAt || link.expiresAt <= clock.now()) return;
  const { email, fullName: name } = link.customer;
  const mail = customerMail('reset', language, { name, url: customerLinks.urlOf(link) });
  await mailer.send({ ...mail, to: email, messageId: messageIdOf(`reset.${id}`, settings.mailFrom) });
}
