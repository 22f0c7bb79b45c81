import type { EmailProfile, EmailUsage } from '@foyer/prisma/client';
import type { IdentityDatabase } from '@foyer/prisma/identity';
import type { Sender } from '@foyer/shared/mailer';
import type { SmtpServer } from '@foyer/shared/smtp-mailer';

import type { House } from '../context.ts';

/** The profile through which an organization's e-mails of one usage go. */
export async function profileFor(
  db: Pick<IdentityDatabase, 'emailUsageMapping'>,
  organizationId: string,
  usage: EmailUsage,
): Promise<string | null> {
  const mapping = await db.emailUsageMapping.findUnique({ where: { organizationId_usage: { organizationId, usage } } });
  return mapping?.profileId ?? null;
}

/** In whose name, and over which server, an e-mail goes through a profile; nulls are the house's. */
export async function deliveryOf(
  { db, sealer }: Pick<House, 'db' | 'sealer'>,
  profileId: string | null,
): Promise<{ sender: Sender | null; server: SmtpServer | null }> {
  const profile = profileId && (await db.emailProfile.findUnique({ where: { id: profileId } }));
  if (!profile) return { sender: null, server: null };
  const { fromName: name, fromAddress: address, replyTo } = profile;
  return { sender: { name, address, replyTo }, server: serverOf({ sealer }, profile) };
}

function serverOf({ sealer }: Pick<House, 'sealer'>, profile: EmailProfile): SmtpServer | null {
  const { id, smtpHost: host, smtpPort: port, smtpTls: tls, smtpUsername: user, smtpPassword } = profile;
  if (!host || !port) return null;
  if (!user) return { host, port, tls };
  return { host, port, tls, auth: { user, pass: smtpPassword ? sealer.open(smtpPassword, id) : '' } };
}
