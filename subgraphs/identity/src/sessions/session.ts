import type { AuthOutbox, RefreshSession } from '@foyer/prisma/client';
import type { Id } from '@foyer/shared/ids';

/** A session as its owner sees it. */
export interface SeenSession {
  id: string;
  platform: 'WEB' | 'MOBILE';
  device: string;
  address: string;
  createdAt: string;
  lastUsedAt: string;
  expiresAt: string;
  /** It is the one that asks. */
  current: boolean;
}

export const seen = (session: RefreshSession, currentId: string): SeenSession => ({
  id: session.id,
  platform: session.platform === 'web' ? 'WEB' : 'MOBILE',
  device: session.device,
  address: session.address,
  createdAt: session.createdAt.toISOString(),
  lastUsedAt: session.lastUsedAt.toISOString(),
  expiresAt: session.expiresAt.toISOString(),
  current: session.id === currentId,
});

/** The news that a session has ended. */
export interface RevokedSession {
  /** Its place in the stream: what `after` and `Last-Event-ID` take. */
  id: string;
  sessionId: Id;
  reason: string;
  at: string;
}

export function revokedSession({ id, payload, createdAt }: AuthOutbox): RevokedSession {
  const { session_id, reason } = payload as { session_id: Id; reason: string };
  return { id: String(id), sessionId: session_id, reason, at: createdAt.toISOString() };
}
