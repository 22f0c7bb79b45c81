import type { IdentityTransaction } from '@foyer/prisma/identity';
import type { Id } from '@foyer/shared/ids';

/** PostgreSQL channels by which replicas notify each other. A notification is sent when its transaction commits. */
export const channels = {
  sessions: 'foyer_sessions',
  blocks: 'foyer_user_blocks',
  /** Sent by triggers (prisma/models/identity.sql) for users whose rights may have shrunk. */
  rights: 'foyer_rights',
} as const;

/** Tells all replicas that the outbox has new events for this user. */
export async function publishSessions(tx: IdentityTransaction, userId: Id): Promise<void> {
  await tx.$executeRaw`SELECT pg_notify(${channels.sessions}, ${userId})`;
}

/** Tells all replicas to read the block times again. */
export async function publishBlocks(tx: IdentityTransaction): Promise<void> {
  await tx.$executeRaw`SELECT pg_notify(${channels.blocks}, '')`;
}
