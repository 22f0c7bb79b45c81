import type { IdentityTransaction } from '@foyer/prisma/identity';
import { defineJob, worker, type Attempt } from '@foyer/shared/jobs/jobs';
import { messageIdOf } from '@foyer/shared/mail/mailer';
import { newId, uuidText, type Id } from '@foyer/shared/ids';
import { z } from 'zod';

import { MailRefused } from '#ports/mailer.ts';
import type { House } from '../context.ts';
import { deliveryOf } from '../email-profiles/delivery.ts';
import { Letter, writeLetter } from './letter.ts';

type Needs = Pick<House, 'db' | 'clock' | 'log' | 'mailer' | 'sealer' | 'settings'>;

const sendMailJob = defineJob({
  name: 'identity.send-mail',
  data: z.object({
    mailId: uuidText(),
    to: z.string(),
    /** None, or gone: the house writes in its own name. */
    profileId: uuidText().nullable(),
    /** Over the house's server, although the profile may have one. */
    overHouse: z.boolean().default(false),
    /** What it says later helps nobody. */
    until: z.iso.datetime().nullable(),
    /** A {Letter}, sealed: letters carry links and passwords, and a queue is read by many. */
    letter: z.string(),
  }),
  // 5 s, 10 s, … 30 min, 30 min, …: in all about a day.
  retries: 56,
  retryDelaySeconds: 5,
  retryDelayMaxSeconds: 30 * 60,
});

type Owed = z.infer<typeof sendMailJob.data>;

export const mailWorker = (needs: Needs) => worker(sendMailJob, (data, attempt) => sendMail(needs, data, attempt));

/** Sees to it that somebody gets a letter, in the transaction that makes it true: both stand or fall together. */
export async function askForMail(
  { jobs, sealer }: Pick<House, 'jobs' | 'sealer'>,
  tx: IdentityTransaction,
  mail: { to: string; profileId?: Id | null; overHouse?: boolean; until?: Date; letter: Letter },
): Promise<void> {
  const mailId = newId();
  await jobs.enqueue(
    sendMailJob,
    {
      mailId,
      to: mail.to,
      profileId: mail.profileId ?? null,
      overHouse: mail.overHouse ?? false,
      until: mail.until?.toISOString() ?? null,
      letter: Buffer.from(sealer.seal(JSON.stringify(mail.letter), mailId)).toString('base64'),
    },
    { within: tx },
  );
}

/**
 * A reset link is worth the rights of whom it is for, who may rank above whoever set up the profile's
 * server: it goes over the house's own.
 */
async function sendMail(needs: Needs, owed: Owed, { last }: Pick<Attempt, 'last'>) {
  const { mailId, to, profileId, until, letter } = owed;
  const { mailer, sealer, settings, clock, log } = needs;
  if (until && new Date(until) <= clock.now()) return log.warn({ mailId }, 'a mail came too late to be sent');

  const read = Letter.parse(JSON.parse(sealer.open(Buffer.from(letter, 'base64'), mailId)));
  const overHouse = owed.overHouse || read.kind === 'password-reset';
  const { sender, server } = await deliveryOf(needs, profileId, { overHouse });
  try {
    const messageId = messageIdOf(mailId, sender?.address ?? settings.mailFrom);
    await mailer.send({ ...writeLetter(read), to, messageId, ...(sender && { sender }) }, server);
  } catch (error) {
    const forGood = error instanceof MailRefused || last;
    log.warn({ err: error, mailId, kind: read.kind, forGood }, 'a mail could not be delivered');
    if (!forGood) throw error;
  }
}
