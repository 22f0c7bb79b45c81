import { createTransport } from 'nodemailer';

import { MailRefused, type Mailer } from '#ports/mailer.ts';

const CONNECT_TIMEOUT_MS = 10_000;
const SILENCE_TIMEOUT_MS = 30_000;

/**
 * Mail over SMTP.
 *
 * @param at `url` as nodemailer reads it (`smtp://user:password@host:port`), `from` the address of the house
 */
export function smtpMailer(at: { url: string; from: string }): Mailer & { close(): void } {
  const transport = createTransport({
    url: at.url,
    pool: true,
    maxConnections: 2,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SILENCE_TIMEOUT_MS,
    // A template is never a way to read a file or call a server.
    disableFileAccess: true,
    disableUrlAccess: true,
  });

  return {
    async send({ to, subject, text, html, messageId, attachments = [] }) {
      const files = attachments.map((file) => ({ ...file, content: Buffer.from(file.content) }));
      try {
        // An address object: a comma in it never becomes a second recipient.
        const envelope = { to: { name: '', address: to }, from: at.from };
        await transport.sendMail({ ...envelope, subject, text, html, messageId, attachments: files });
      } catch (error) {
        throw isForGood(error) ? new MailRefused(messageOf(error), { cause: error }) : error;
      }
    },
    close: () => transport.close(),
  };
}

/** Only what is said about the recipient: a 5xx to our login or sender is the operator's to mend, and then to be sent. */
function isForGood(error: unknown): boolean {
  const { command, responseCode = 0, code } = error as { command?: string; responseCode?: number; code?: string };
  const noRecipient = code === 'EENVELOPE' && responseCode === 0;
  return noRecipient || (command === 'RCPT TO' && responseCode >= 500);
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
