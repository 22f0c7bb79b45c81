import type { Prisma } from '@foyer/prisma/client';
import type { IdentityTransaction } from '@foyer/prisma/identity';
import type { Id } from '@foyer/shared/ids';

/** One line of the audit log. */
export interface AuditFact {
  /** In which organization it happened; null where there is none. */
  organizationId: Id | null;
  /** Who did it: the id of a user, or `operator` for who works at the command line; null for nobody that we know. */
  userId: string | null;
  /** `<noun>.<verb in the past>`, such as `session.opened`. */
  action: string;
  /** What it was done to. */
  target?: { kind: string; id: string } | undefined;
  /** The client's address. */
  ip?: string | null | undefined;
  /** Done, unless said otherwise. */
  result?: 'done' | 'refused' | undefined;
  /** Why it was refused, or why it was done when that isn't plain. */
  reason?: string | undefined;
  requestId?: string | undefined;
  /** Further facts; never a token or a password. */
  details?: Prisma.InputJsonObject | undefined;
}

/** Writes a line of the audit log: in the transaction of the change, so that there is never one without the other. */
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
