import type { AddressPolicy } from '@foyer/shared/http/addresses/address-policy';
import { smtpMailer } from '@foyer/shared/mail/smtp-mailer';

import type { Mailer } from '#ports/mailer.ts';

interface Settings {
  /** The URL of Foyer's own mail server, as nodemailer reads it. */
  url: string;
  /** The address that Foyer sends from. */
  from: string;
  /** The addresses that organizations' servers may have. */
  addresses: AddressPolicy;
}

/** Sends mail over Foyer's own server, or over one that an organization has configured. */
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
