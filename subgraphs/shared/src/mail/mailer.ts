/** Sends mails. */
export interface Mailer {
  /**
   * Sends one mail. A second call with the same `messageId` may deliver it twice, because SMTP has no "exactly once"; the
   * recipient's mail program then shows it once.
   *
   * @throws {MailRefused} when this recipient will never get it
   * @throws {Error} for any other failure: try again later
   */
  send(mail: Mail): Promise<void>;
}

export interface Mail {
  to: string;
  /** Foyer by default. */
  sender?: Sender;
  subject: string;
  text: string;
  html: string;
  /** With the angle brackets (RFC 5322 section 3.6.4). */
  messageId: string;
  attachments?: readonly { filename: string; contentType: string; content: Uint8Array }[];
}

/** The sender that a mail names. */
export interface Sender {
  name: string;
  address: string;
  replyTo?: string | null;
}

/** The recipient's server refused the mail permanently. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';
}

/**
 * The Message-ID of a mail. It is the same at each attempt, so that a mail program shows a mail once that it gets twice.
 *
 * @param messageId unique among our mails
 * @param from an address of Foyer, with or without a display name
 */
export const messageIdOf = (messageId: string, from: string): string =>
  `<${messageId}@${/@([^\s>]+)/.exec(from)?.[1] ?? 'localhost'}>`;
