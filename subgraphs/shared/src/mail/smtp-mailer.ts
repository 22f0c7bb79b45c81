import { isIP } from 'node:net';

import type { Transporter } from 'nodemailer';

import type { JudgedAddress } from '../http/addresses/address-policy.ts';
import { lazy } from '../lazy.ts';
import { MailRefused, type Mailer } from './mailer.ts';
import { traced } from '../telemetry/tracing.ts';

const CONNECT_TIMEOUT_MS = 10_000;
/** Long, because servers delay their greeting to unknown clients on purpose, and the embedded one first loads its parts. */
const SILENCE_TIMEOUT_MS = 30_000;
const timeouts = {
  connectionTimeout: CONNECT_TIMEOUT_MS,
  greetingTimeout: SILENCE_TIMEOUT_MS,
  socketTimeout: SILENCE_TIMEOUT_MS,
};

const nodemailer = lazy(() => import('nodemailer'));

/** A mail server, and the login for it. */
export interface SmtpServer {
  host: string;
  port: number;
  /** TLS from the first byte; otherwise STARTTLS, which is required where there is a password to protect. */
  tls: boolean;
  auth?: { user: string; pass: string };
}

/** A server that a user has configured, and the address to connect to. */
interface JudgedServer {
  server: SmtpServer;
  address: JudgedAddress;
}

/**
 * Sends mail over SMTP.
 *
 * @param at `url` as nodemailer reads it (`smtp://user:password@host:port`) or a server, `from` the address of Foyer
 */
export function smtpMailer(at: ({ url: string } | JudgedServer) & { from: string }): Mailer & {
  close(): void;
} {
  let opened: Transporter | undefined;
  const transport = lazy(async () => {
    const { createTransport } = await nodemailer();
    opened = createTransport({
      ...('url' in at ? { url: at.url } : optionsOf(at)),
      pool: true,
      maxConnections: 2,
      ...timeouts,
      // So that no template can read a file or call a server.
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    return opened;
  });

  return {
    async send({ to, sender, subject, text, html, messageId, attachments = [] }) {
      const files = attachments.map((file) => ({ ...file, content: Buffer.from(file.content) }));
      try {
        // As an address object, so that a comma in it never adds a second recipient.
        const envelope = { to: { name: '', address: to }, from: sender ?? at.from };
        const replyTo = sender?.replyTo ? { replyTo: { name: '', address: sender.replyTo } } : {};
        const mail = { ...envelope, ...replyTo, subject, text, html, messageId, attachments: files };
        await traced('send mail', { kind: 'client', attributes: { 'peer.service': 'mail' } }, async () =>
          (await transport()).sendMail(mail),
        );
      } catch (error) {
        throw isFinal(error) ? new MailRefused(messageOf(error), { cause: error }) : error;
      }
    },
    close: () => opened?.close(),
  };
}

const optionsOf = ({ server: { host, port, tls, auth }, address }: JudgedServer) => ({
  host: address.address,
  port,
  secure: tls,
  requireTLS: auth !== undefined,
  ...(auth && { auth }),
  ...(!isIP(host) && { tls: { servername: host } }), // the name that its certificate must have
});

/** Whether the server refuses the recipient. A 5xx to our login or sender is not final: the operator corrects it, and the mail is sent. */
function isFinal(error: unknown): boolean {
  const { command, responseCode = 0, code } = error as { command?: string; responseCode?: number; code?: string };
  const noRecipient = code === 'EENVELOPE' && responseCode === 0;
  return noRecipient || (command === 'RCPT TO' && responseCode >= 500);
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/**
 * Checks a mail server: connects, and logs in where the URL has a user and password. Sends nothing, and waits as long as
 * sending does.
 *
 * @throws {Error} with the message of the connection or of the server
 */
export async function greetMailServer(url: string): Promise<void> {
  const { createTransport } = await nodemailer();
  const transport = createTransport({ url, ...timeouts });
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
}
