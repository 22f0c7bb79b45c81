import type { EmailProfile, EmailUsage } from '@foyer/prisma/client';
import type { IdentityDatabase } from '@foyer/prisma/identity';
import type { Id } from '@foyer/shared/ids';
import type { Sender } from '@foyer/shared/mail/mailer';
import type { SmtpServer } from '@foyer/shared/mail/smtp-mailer';

import type { Services } from '../context.ts';
import { domainOf, readAddress } from './address.ts';

/** The profile through which an organization sends e-mails of one usage. */
export async function profileFor(
  db: Pick<IdentityDatabase, 'emailUsageMapping'>,
  organizationId: Id,
  usage: EmailUsage,
): Promise<Id | null> {
  const mapping = await db.emailUsageMapping.findUnique({ where: { organizationId_usage: { organizationId, usage } } });
  return mapping?.profileId ?? null;
}

/** Whether a profile has a mail server of the organization's own, whose operator can read what passes through it. */
export const hasOwnServer = async (
  db: Pick<IdentityDatabase, 'emailProfile'>,
  profileId: string | null,
): Promise<boolean> =>
  profileId !== null && (await db.emailProfile.count({ where: { id: profileId, smtpHost: { not: null } } })) > 0;

/** Over whose server an e-mail goes, and in whose name. */
interface Delivery {
  /** Null: Foyer itself. */
  sender: Sender | null;
  /** Null: Foyer's own. */
  server: SmtpServer | null;
}

/**
 * Decides in whose name, and over which server, an e-mail goes. Over Foyer's own server an organization may use the
 * domains that the operator has allowed, and otherwise Foyer's name: the server vouches for what it signs.
 *
 * @param overDefaultServer whether to use Foyer's own server although the profile has one
 */
export async function deliveryOf(
  { db, sealer, settings }: Pick<Services, 'db' | 'sealer' | 'settings'>,
  profileId: Id | null,
  { overDefaultServer }: { overDefaultServer: boolean },
): Promise<Delivery> {
  const profile = profileId && (await db.emailProfile.findUnique({ where: { id: profileId } }));
  if (!profile) return { sender: null, server: null };
  const { fromName: name, fromAddress: address, replyTo } = profile;
  const server = overDefaultServer ? null : serverOf({ sealer }, profile);
  if (server || settings.mailFromDomains.includes(domainOf(address)))
    return { sender: { name, address, replyTo }, server };
  return { sender: { ...readAddress(settings.mailFrom), replyTo: replyTo ?? address }, server };
}

function serverOf({ sealer }: Pick<Services, 'sealer'>, profile: EmailProfile): SmtpServer | null {
  const { id, smtpHost: host, smtpPort: port, smtpTls: tls, smtpUsername: user, smtpPassword } = profile;
  if (!host || !port) return null;
  if (!user) return { host, port, tls };
  return { host, port, tls, auth: { user, pass: smtpPassword ? sealer.open(smtpPassword, id) : '' } };
}
