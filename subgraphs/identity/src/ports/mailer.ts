import type { Mail } from '@foyer/shared/mail/mailer';
import type { SmtpServer } from '@foyer/shared/mail/smtp-mailer';

export { MailRefused } from '@foyer/shared/mail/mailer';

/** What identity asks of whoever carries the mail. */
export interface Mailer {
  /**
   * Hands one mail over (as in shared/mailer.ts).
   *
   * @param server of an organization's own; null: the one of the house
   * @throws {MailRefused} when this recipient will never get it
   * @throws {Error} whatever else: worth trying again later
   */
  send(mail: Mail, server: SmtpServer | null): Promise<void>;
  close(): void;
}
