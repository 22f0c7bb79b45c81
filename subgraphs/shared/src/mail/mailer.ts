/** What is asked of whoever carries the mail. */
export interface Mailer {
  /**
   * Hands one mail over. Handing the same `messageId` over again may deliver it twice: SMTP knows
   * no "exactly once", but a reader's mail program then shows one.
   *
   * @throws {MailRefused} when this recipient will never get it
   * @throws {Error} whatever else: worth trying again later
   */
  send(mail: Mail): Promise<void>;
}

export interface Mail {
  to: string;
  /** Without one: Foyer's. */
  sender?: Sender;
  subject: string;
  text: string;
  html: string;
  /** With the angle brackets (RFC 5322 section 3.6.4). */
  messageId: string;
  attachments?: readonly { filename: string; contentType: string; content: Uint8Array }[];
}

/** In whose name a mail is sent. */
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
 * The name of a mail, the same at each try: a mail program that gets it twice shows it once.
 *
 * @param messageId unique among our mails
 * @param from an address of Foyer, with or without a display name
 */
export const messageIdOf = (messageId: string, from: string): string =>
  `<${messageId}@${/@([^\s>]+)/.exec(from)?.[1] ?? 'localhost'}>`;
