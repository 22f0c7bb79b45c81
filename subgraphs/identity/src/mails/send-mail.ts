import type { IdentityTransaction } from '@foyer/prisma/identity';
import { defineJob, worker, type Attempt } from '@foyer/shared/jobs/job';
import { languages, type Language } from '@foyer/shared/http/language';
import { messageIdOf } from '@foyer/shared/mail/mailer';
import { newId, uuidText, type Id } from '@foyer/shared/ids';
import { z } from 'zod';

import { MailRefused } from '#ports/mailer.ts';
import type { Services } from '../context.ts';
import { deliveryOf } from '../email-profiles/delivery.ts';
import { MailContent, renderMail } from './mail-content.ts';

type Needs = Pick<Services, 'db' | 'clock' | 'log' | 'mailer' | 'sealer' | 'settings'>;

const sendMailJob = defineJob({
  name: 'identity.send-mail',
  data: z.object({
    mailId: uuidText(),
    to: z.string(),
    /** The profile to send through. Null, or a profile that was deleted: Foyer writes in its own name. */
    profileId: uuidText().nullable(),
    /** Whether to send over Foyer's own server although the profile may have one. Queued jobs carry this name. */
    overHouse: z.boolean().default(false),
    /** After this moment the mail is useless and is not sent. */
    until: z.iso.datetime().nullable(),
    /** Of the page that caused it. Jobs that were queued before have none. */
    language: z.enum(languages).default('en'),
    /** A {MailContent}, sealed: it carries links and passwords, and many can read a queue. Queued jobs carry this name. */
    letter: z.string(),
  }),
  // 5 s, 10 s, … 30 min, 30 min, …: in all about a day.
  retries: 56,
  retryDelaySeconds: 5,
  retryDelayMaxSeconds: 30 * 60,
});

type MailJob = z.infer<typeof sendMailJob.data>;

export const mailWorker = (needs: Needs) => worker(sendMailJob, (data, attempt) => sendMail(needs, data, attempt));

/** Enqueues a mail in the transaction that it reports: either both happen, or neither. */
export async function enqueueMail(
  { jobs, sealer }: Pick<Services, 'jobs' | 'sealer'>,
  tx: IdentityTransaction,
  mail: {
    to: string;
    profileId?: Id | null;
    overDefaultServer?: boolean;
    until?: Date;
    language: Language | undefined;
    content: MailContent;
  },
): Promise<void> {
  const mailId = newId();
  await jobs.enqueue(
    sendMailJob,
    {
      mailId,
      to: mail.to,
      profileId: mail.profileId ?? null,
      overHouse: mail.overDefaultServer ?? false,
      until: mail.until?.toISOString() ?? null,
      language: mail.language ?? 'en',
      letter: Buffer.from(sealer.seal(JSON.stringify(mail.content), mailId)).toString('base64'),
    },
    { within: tx },
  );
}

/**
 * Sends a mail. A password reset always goes over Foyer's own server: its link is worth the rights of the recipient,
 * who may rank above whoever set up the profile's server and can read what passes there.
 */
async function sendMail(needs: Needs, job: MailJob, { last }: Pick<Attempt, 'last'>) {
  const { mailId, to, profileId, until, letter: sealed } = job;
  const { mailer, sealer, settings, clock, log } = needs;
  if (until && new Date(until) <= clock.now()) return log.warn({ mailId }, 'a mail was not sent: it was too late');

  const read = MailContent.parse(JSON.parse(sealer.open(Buffer.from(sealed, 'base64'), mailId)));
  const overDefaultServer = job.overHouse || read.kind === 'password-reset';
  const { sender, server } = await deliveryOf(needs, profileId, { overDefaultServer });
  try {
    const messageId = messageIdOf(mailId, sender?.address ?? settings.mailFrom);
    await mailer.send({ ...renderMail(read, job.language), to, messageId, ...(sender && { sender }) }, server);
  } catch (error) {
    const forGood = error instanceof MailRefused || last;
    log.warn({ err: error, mailId, kind: read.kind, forGood }, 'a mail could not be delivered');
    if (!forGood) throw error;
  }
}
