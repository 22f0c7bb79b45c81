import type { House } from './house.ts';
import { send } from './people.ts';

export interface Mail {
  messageId: string;
  subject: string;
  html: string;
  text: string;
  attachments?: { fileName: string; contentType: string }[];
}

/** The mails in the embedded inbox that went to this address. */
export async function mailsTo(house: House, address: string): Promise<Mail[]> {
  const { json } = await send(house, 'GET', '/sim/inbox/email');
  return (json as (Mail & { to: { address: string }[] })[]).filter(({ to }) =>
    to.some((whom) => whom.address === address),
  );
}
