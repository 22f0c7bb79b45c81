import type { AuthOutbox } from '@foyer/prisma/client';
import type { Id } from '@foyer/shared/ids';

/** The event that a session has ended. */
export interface RevokedSession {
  /** Its position in the stream, as `after` and `Last-Event-ID` take it. */
  id: string;
  sessionId: Id;
  reason: string;
  at: string;
}

export function revokedSession({ id, payload, createdAt }: AuthOutbox): RevokedSession {
  const { session_id, reason } = payload as { session_id: Id; reason: string };
  return { id: String(id), sessionId: session_id, reason, at: createdAt.toISOString() };
}
