import type { IdentityTransaction } from '@foyer/prisma/identity';
import type { Jobs } from '@foyer/shared/jobs/jobs';
import { openLog } from '@foyer/shared/telemetry/log';
import type { Mail } from '@foyer/shared/mail/mailer';
import { describe, expect, it } from 'vitest';

import { MailRefused } from '#ports/mailer.ts';
import type { Services } from '../context.ts';
import { openSealer } from '../secrets/sealer.ts';
import { enqueueMail, mailWorker } from './send-mail.ts';

const sealer = openSealer('a secret');
const now = new Date('2030-01-01T12:00:00Z');
const content = {
  kind: 'password-reset',
  name: 'Mei',
  organization: 'Acme',
  url: 'https://foyer.example/reset-password?token=top-secret',
  minutes: 60,
} as const;

/** The job of an enqueued mail. */
async function queued(until?: Date): Promise<object> {
  let found: object = {};
  const enqueue: Jobs['enqueue'] = async (_job, data) => {
    found = data;
  };
  const mail = { to: 'mei@acme.test', language: undefined, content, ...(until && { until }) };
  await enqueueMail(
    {
      jobs: {
        enqueue,
        enqueueAll: async () => undefined,
        prioritize: async () => undefined,
        isWaiting: async () => false,
        waitingWith: async () => [],
      },
      sealer,
    },
    {} as IdentityTransaction,
    mail,
  );
  return found;
}

/** Runs the job with this mailer. */
function work(data: object, send: (mail: Mail) => Promise<void>, last = false) {
  const settings = { mailFrom: 'Foyer <no-reply@foyer.test>', mailFromDomains: ['foyer.test'] };
  const services = { sealer, settings, clock: { now: () => now }, log: openLog('silent'), mailer: { send } };
  const { run } = mailWorker(services as unknown as Services);
  const signal = new AbortController().signal;
  return run(data as never, { id: '1', number: 1, last, signal });
}

const refuses = (reason: Error) => async () => {
  throw reason;
};

describe('a mail of identity', () => {
  it('waits in the queue without its link', async () => {
    expect(JSON.stringify(await queued())).not.toContain('top-secret');
  });

  it('is sent in the name of Foyer where there is no profile, under one id at every try', async () => {
    const data = await queued(new Date(now.getTime() + 1));
    const sent: Mail[] = [];
    const send = async (mail: Mail) => void sent.push(mail);
    await work(data, send);
    await work(data, send);

    expect(sent[0]).toMatchObject({ to: 'mei@acme.test', subject: 'Choose a new password' });
    expect(sent[0]?.text).toContain('token=top-secret');
    expect(sent[0]?.messageId).toMatch(/^<[\da-f-]{36}@foyer\.test>$/);
    expect(sent[1]?.messageId).toBe(sent[0]?.messageId);
  });

  it('is not sent when its link has expired', async () => {
    const sent: Mail[] = [];
    await work(await queued(now), async (mail) => void sent.push(mail));
    expect(sent).toEqual([]);
  });

  it('is retried, unless the recipient is refused for good or it was the last try', async () => {
    const data = await queued();
    const busy = new Error('451 try again later');
    await expect(work(data, refuses(busy))).rejects.toBe(busy);
    await expect(work(data, refuses(new MailRefused('550 no such mailbox')))).resolves.toBeUndefined();
    await expect(work(data, refuses(busy), true)).resolves.toBeUndefined();
  });
});
