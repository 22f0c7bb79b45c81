import type { Prisma } from '@foyer/prisma/client';
import type { IdentityTransaction } from '@foyer/prisma/identity';
import type { Id } from '@foyer/shared/ids';

/** An entry of the audit log. */
export interface AuditFact {
  /** The organization in which it happened; null for none. */
  organizationId: Id | null;
  /** Who did it: the id of a user, or `operator` at the command line; null if unknown. */
  userId: string | null;
  /** `<noun>.<verb in the past>`, such as `session.opened`. */
  action: string;
  /** The object of the action. */
  target?: { kind: string; id: string } | undefined;
  /** The client's address. */
  ip?: string | null | undefined;
  /** Defaults to `done`. */
  result?: 'done' | 'refused' | undefined;
  /** Why it was refused, or why it was done when that is not obvious. */
  reason?: string | undefined;
  requestId?: string | undefined;
  /** Further facts; never a token or a password. */
  details?: Prisma.InputJsonObject | undefined;
}

/** Writes an entry of the audit log, in the transaction of the change: neither exists without the other. */
export async function audit(
  tx: Pick<IdentityTransaction, 'auditEntry'>,
  { organizationId, userId, action, target, ip, result = 'done', reason, requestId, details }: AuditFact,
): Promise<void> {
  await tx.auditEntry.create({
    data: {
      organizationId,
      actorId: userId,
      action,
      targetKind: target?.kind ?? null,
      targetId: target?.id ?? null,
      address: ip ?? null,
      outcome: result,
      reason: reason ?? null,
      requestId: requestId ?? null,
      ...(details && { details }),
    },
  });
}
