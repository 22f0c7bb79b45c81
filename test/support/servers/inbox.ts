import type { Server } from './server-process.ts';
import { send } from '../fixtures/people.ts';
import { until } from '../until.ts';

export interface Mail {
  messageId: string;
  subject: string;
  html: string;
  text: string;
  attachments?: { fileName: string; contentType: string }[];
}

/** The mails in the embedded inbox that went to this address. */
export async function mailsTo(server: Server, address: string): Promise<Mail[]> {
  // The inbox of a shared server fills up: without the filter it returns all mails, each time.
  const { json } = await send(
    server,
    'GET',
    `/sim/inbox/email?${new URLSearchParams({ 'to.address': address }).toString()}`,
  );
  return (json as (Mail & { to: { address: string }[] })[]).filter(({ to }) =>
    to.some((whom) => whom.address === address),
  );
}

/** The newest link of this kind in the mails to an address. */
export async function linkFor(server: Server, email: string, path: string): Promise<string> {
  const link = new RegExp(`${path}\\?token=[\\w-]+`);
  return until(`a mail to ${email} with a link to ${path}`, async () => {
    const texts = (await mailsTo(server, email)).map(({ text }) => text);
    return texts.findLast((text) => link.test(text))?.match(link)?.[0];
  });
}
