import type { IdentityTransaction } from '@foyer/prisma/identity';
import type { Id } from '@foyer/shared/ids';

/** What replicas tell each other through the database; it leaves with the commit, and not without it. */
export const channels = {
  sessions: 'foyer_sessions',
  blocks: 'foyer_user_blocks',
  /** Whose rights may be fewer now: triggers say it (prisma/models/identity.sql). */
  rights: 'foyer_rights',
} as const;

/** There is news in the outbox for this user. */
export async function publishSessions(tx: IdentityTransaction, userId: Id): Promise<void> {
  await tx.$executeRaw`SELECT pg_notify(${channels.sessions}, ${userId})`;
}

/** What is known of block times is out of date. */
export async function publishBlocks(tx: IdentityTransaction): Promise<void> {
  await tx.$executeRaw`SELECT pg_notify(${channels.blocks}, '')`;
}
