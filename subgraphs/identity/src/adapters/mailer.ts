import type { AddressPolicy } from '@foyer/shared/http/address-policy';
import { smtpMailer } from '@foyer/shared/mail/smtp-mailer';

import type { Mailer } from '#ports/mailer.ts';

interface Settings {
  /** The house's server, as nodemailer reads it. */
  url: string;
  /** An address of the own. */
  from: string;
  /** Where an organization's server may be. */
  addresses: AddressPolicy;
}

/** Mail over the server of the house, or over one that an organization has named. */
export function mailer({ url, from, addresses }: Settings): Mailer {
  const own = smtpMailer({ url, from });
  return {
    async send(mail, server) {
      if (!server) return own.send(mail);
      const [address] = await addresses.addressesOf(server.host, server.port);
      const theirs = smtpMailer({ server, address, from });
      try {
        await theirs.send(mail);
      } finally {
        theirs.close();
      }
    },
    close: () => own.close(),
  };
}
