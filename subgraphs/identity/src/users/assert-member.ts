import type { IdentityTransaction } from '@foyer/prisma/identity';
import { isUuid, type Id } from '@foyer/shared/ids';

import { memberNotFound } from '../tenancy/refusals.ts';

/** @throws {Refusal} `USER_NOT_FOUND` also for somebody of another organization */
export async function assertMember(tx: IdentityTransaction, organizationId: Id, userId: Id): Promise<void> {
  if (!isUuid(userId)) throw memberNotFound();
  const member = await tx.organizationMember.count({ where: { organizationId, userId } });
  if (member === 0) throw memberNotFound();
}
