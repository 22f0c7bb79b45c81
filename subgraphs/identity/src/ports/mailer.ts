import type { Mail } from '@foyer/shared/mail/mailer';
import type { SmtpServer } from '@foyer/shared/mail/smtp-mailer';

export { MailRefused } from '@foyer/shared/mail/mailer';

/** Sends mail. */
export interface Mailer {
  /**
   * Sends one mail (see shared/mail/mailer.ts).
   *
   * @param server an organization's own; null: Foyer's
   * @throws {MailRefused} when this recipient will never get it
   * @throws {Error} whatever else: worth trying again later
   */
  send(mail: Mail, server: SmtpServer | null): Promise<void>;
  close(): void;
}
