/** What ticketing asks of whoever carries the mail. */
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

interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** With the angle brackets (RFC 5322 section 3.6.4). */
  messageId: string;
  attachments?: readonly { filename: string; contentType: string; content: Uint8Array }[];
}

/** The recipient's server said no for good. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';
}
