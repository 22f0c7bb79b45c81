import { lookup } from 'node:dns/promises';

import { AddressForbidden, mayConnect } from '@foyer/shared/address';
import { smtpMailer, type SmtpServer } from '@foyer/shared/smtp-mailer';

import type { Mailer } from '#ports/mailer.ts';

interface Settings {
  /** The house's server, as nodemailer reads it. */
  url: string;
  /** An address of the house. */
  from: string;
  /** Whether an organization's server may run on this very machine; true in development only. */
  allowLoopback: boolean;
}

/** Mail over the server of the house, or over one that an organization has named. */
export function mailer({ url, from, allowLoopback }: Settings): Mailer {
  const house = smtpMailer({ url, from });
  return {
    async send(mail, server) {
      if (!server) return house.send(mail);
      const theirs = smtpMailer({ server: await allowed(server, allowLoopback), from });
      try {
        await theirs.send(mail);
      } finally {
        theirs.close();
      }
    },
    close: () => house.close(),
  };
}

/** The address that was judged is the one that is connected to: the name could change its mind in between. */
async function allowed(server: SmtpServer, allowLoopback: boolean): Promise<SmtpServer> {
  const { address } = await lookup(server.host);
  if (!mayConnect(address, { allowLoopback })) throw new AddressForbidden(address);
  return { ...server, host: address, servername: server.host };
}
