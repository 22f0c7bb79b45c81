import { defineJob, worker } from '@foyer/shared/jobs/job';
import { messageIdOf } from '@foyer/shared/mail/mailer';
import { z } from 'zod';

import type { Services } from '../context.ts';
import { customerMail } from './customer-mail.ts';

type Needs = Pick<Services, 'db' | 'clock' | 'mailer' | 'settings' | 'customerLinks'>;

export const sendVerificationJob = defineJob({
  name: 'ticketing.send-customer-verification',
  data: z.object({ linkId: z.string(), langChosen: z.enum(['bm', 'en', 'cn']) }),
  retries: 8,
  retryDelaySeconds: 5,
});

export const verificationWorker = (services: Needs) =>
  worker(sendVerificationJob, (data) => sendVerification(services, data));

/** Mails a registered address a link to verify it, or, when it has an account already, a hint to use that. */
async function sendVerification(
  { db, clock, mailer, settings, customerLinks }: Needs,
  { linkId: id, langChosen }: z.output<typeof sendVerificationJob.data>,
): Promise<void> {
  const link = await db.customerLink.findUnique({ where: { id }, include: { customer: true } });
  if (!link || link.usedAt || link.expiresAt <= clock.now()) return;
  const { email, fullName: name } = link.customer;
  const account = await db.customer.findFirst({ where: { email, hasLogin: true, emailVerifiedAt: { not: null } } });
  const mail = account
    ? customerMail('known', langChosen, { name: account.fullName, url: `${settings.publicUrl}/account/forgot` })
    : customerMail('verify', langChosen, { name, url: customerLinks.urlOf(link) });
  await mailer.send({ ...mail, to: email, messageId: messageIdOf(`verify.${id}`, settings.mailFrom) });
}
