import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { MailRefused } from '@foyer/shared/mail/mailer';
import { smtpMailer } from '@foyer/shared/mail/smtp-mailer';

import { startInbox, type Inbox } from './inbox.ts';

interface Received {
  id: string;
  read: boolean;
  envelope: unknown;
  subject: string;
  messageId: string;
  text: string;
  to: { address: string }[];
  attachments: { generatedFileName: string; contentType: string }[] | null;
}

let folder: string;
let inbox: Inbox;
let mailer: ReturnType<typeof smtpMailer>;

/** The first request waits until maildev is loaded. */
const patiently = { timeout: 30_000 };

const mailTo = (to: string, subject: string) => ({
  to,
  subject,
  text: 'Jumpa anda di lobi. 大厅见。',
  html: '<p>See you in the foyer.</p>',
  messageId: '<confirm.ORD-1@foyer.test>',
});
const received = async (): Promise<Received[]> =>
  (await fetch(new URL('email', inbox.webUrl))).json() as Promise<Received[]>;
const from = 'Foyer <tickets@foyer.test>';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-inbox-'));
  inbox = await startInbox({ folder, basePath: '/sim/inbox' });
  mailer = smtpMailer({ url: inbox.smtpUrl, from });
});

afterAll(async () => {
  mailer.close();
  await inbox.stop();
  await rm(folder, { recursive: true, force: true });
});

describe('the mailer', () => {
  it('delivers text, attachment and the message id it was given', async () => {
    const content = Buffer.from('%PDF-1.7');
    const attachments = [{ filename: 'ORD-1.pdf', contentType: 'application/pdf', content }];

    await mailer.send({ ...mailTo('siti@example.my', 'Your tickets'), attachments });

    await expect.poll(received, patiently).toMatchObject([
      {
        subject: 'Your tickets',
        messageId: 'confirm.ORD-1@foyer.test',
        text: expect.stringContaining('大厅见。'),
        to: [{ address: 'siti@example.my' }],
        attachments: [{ contentType: 'application/pdf' }],
      },
    ]);
  });

  it('says when a recipient is refused for good', async () => {
    await expect(mailer.send(mailTo('nobody@refused.test', 'Refused'))).rejects.toBeInstanceOf(MailRefused);
  });

  it('does not treat a temporary refusal as final', async () => {
    await expect(mailer.send(mailTo('siti@later.test', 'Later'))).rejects.not.toBeInstanceOf(MailRefused);
  });

  it('sends to one recipient, whatever the address contains', async () => {
    await mailer.send(mailTo('a@example.my,b@example.my', 'Two?')).catch(() => undefined);

    const two = (await received()).find(({ subject }) => subject === 'Two?');
    expect(two?.to.map(({ address }) => address) ?? []).not.toContain('b@example.my');
  });

  it('gives no final refusal when nobody answers', async () => {
    const nobody = smtpMailer({ url: 'smtp://127.0.0.1:1', from });

    await expect(nobody.send(mailTo('siti@example.my', 'Hello'))).rejects.not.toBeInstanceOf(MailRefused);
    nobody.close();
  });
});

describe('the inbox', () => {
  /** It has another port after each start. */
  async function sendNow(mail: Parameters<typeof mailer.send>[0]) {
    const now = smtpMailer({ url: inbox.smtpUrl, from });
    await now.send(mail);
    now.close();
  }

  it('finds its mails again after a restart', async () => {
    await mailer.send(mailTo('siti@example.my', 'Kept'));
    await expect.poll(async () => (await received()).map(({ subject }) => subject), patiently).toContain('Kept');

    await inbox.stop();
    inbox = await startInbox({ folder, basePath: '/sim/inbox' });

    await expect.poll(async () => (await received()).map(({ subject }) => subject), patiently).toContain('Kept');
  });

  it('is readable by its owner alone, including attachments and mails of an older version', async () => {
    const content = Buffer.from('%PDF-1.7');
    const attachments = [{ filename: 'secret.pdf', contentType: 'application/pdf', content }];
    await sendNow({ ...mailTo('siti@example.my', 'Private'), attachments });
    const old = join(folder, 'mails/old.eml');
    await writeFile(old, 'Subject: Old\r\n\r\n', { mode: 0o644 });
    await inbox.stop();
    inbox = await startInbox({ folder, basePath: '/sim/inbox' });

    const entries = await readdir(join(folder, 'mails'), { recursive: true });
    expect(entries.filter((name) => name.endsWith('.eml')).length).toBeGreaterThan(1);
    for (const name of ['.', ...entries]) {
      const { mode } = await stat(join(folder, 'mails', name));
      expect({ name, mode: mode & 0o077 }).toEqual({ name, mode: 0 });
    }
  });

  it('shows HTML without its scripts', async () => {
    await sendNow({ ...mailTo('siti@example.my', 'Scripts'), html: '<p>Read me</p><script>alert(1)</script>' });
    const scripted = async () => (await received()).find(({ subject }) => subject === 'Scripts')?.id;
    await expect.poll(scripted, patiently).toBeDefined();
    for (const _time of [1, 2]) {
      const response = await fetch(new URL(`email/${await scripted()}/html`, inbox.webUrl));
      expect(await response.text()).toBe('<html><head></head><body><p>Read me</p></body></html>');
    }
  });

  it('protects a new mail from the moment that it is written', async () => {
    const before = new Set(await readdir(join(folder, 'mails'), { recursive: true }));
    const attachments = [{ filename: 'new.pdf', contentType: 'application/pdf', content: Buffer.from('%PDF-1.7') }];
    await sendNow({ ...mailTo('siti@example.my', 'New'), attachments });

    const fresh = async () =>
      (await readdir(join(folder, 'mails'), { recursive: true })).filter((name) => !before.has(name));
    // Attachments are written after the mail was accepted.
    await expect.poll(async () => (await fresh()).length, patiently).toBeGreaterThan(1);
    for (const name of await fresh()) expect((await stat(join(folder, 'mails', name))).mode & 0o077).toBe(0);
  });
});

describe('the inbox that nobody uses', () => {
  const IDLE_MS = 300;
  /** The processes that this one has started. */
  async function inboxProcesses(): Promise<number[]> {
    const threads = await readdir('/proc/self/task');
    const ids = await Promise.all(threads.map((thread) => readFile(`/proc/self/task/${thread}/children`, 'utf8')));
    const commands = ids
      .join(' ')
      .split(' ')
      .filter(Boolean)
      .map(Number)
      .map(async (pid) => {
        const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
        return command.includes('inbox-process') ? [pid] : [];
      });
    return (await Promise.all(commands)).flat();
  }

  beforeAll(async () => {
    await inbox.stop();
    inbox = await startInbox({ folder, basePath: '/sim/inbox', idleMs: IDLE_MS });
  });
  const sent = async (subject: string) => {
    const now = smtpMailer({ url: inbox.smtpUrl, from });
    await now.send(mailTo('siti@example.my', subject));
    now.close();
  };

  it('ends its process, and shows at the next connection what it showed before', async () => {
    expect(await inboxProcesses()).toEqual([]);
    for (const subject of ['First', 'Second', 'Third']) await sent(subject);
    await expect.poll(async () => (await received()).map(({ subject }) => subject)).toContain('Third');
    const second = (await received()).find(({ subject }) => subject === 'Second');
    await fetch(new URL(`email/${second?.id}`, inbox.webUrl), { headers: { connection: 'close' } });
    const shown = async () =>
      (await received())
        .slice(-3)
        .map(({ id, subject, read, envelope, text }) => ({ id, subject, read, envelope, text }));
    const before = await shown();
    expect(before).toMatchObject([
      { subject: 'First', read: false },
      { subject: 'Second', read: true },
      { subject: 'Third', read: false },
    ]);
    expect(await inboxProcesses()).toHaveLength(1);

    await expect.poll(inboxProcesses, patiently).toEqual([]);

    expect(await shown()).toEqual(before);
  });

  it('takes every mail that comes while it ends', async () => {
    const subjects = Array.from({ length: 12 }, (_mail, index) => `Mail ${index}`);
    for (const [index, subject] of subjects.entries()) {
      await sent(subject);
      await new Promise((done) => setTimeout(done, IDLE_MS - 60 + 10 * index)); // when it ends, more or less
    }
    await expect
      .poll(
        async () => (await received()).map(({ subject }) => subject).filter((one) => subjects.includes(one)),
        patiently,
      )
      .toEqual(subjects);
  }, 60_000);

  it('starts again where its process was killed', async () => {
    await received();
    const [pid = 0] = await inboxProcesses();
    process.kill(pid, 'SIGKILL');
    await expect.poll(inboxProcesses).toEqual([]);

    await sent('After the kill');

    await expect
      .poll(async () => (await received()).map(({ subject }) => subject), patiently)
      .toContain('After the kill');
  });
});
