import type { IdentityTransaction } from '@foyer/prisma/identity';

import { isGuid } from '../guid.ts';
import { memberNotFound } from './refusals.ts';

/** @throws {Refusal} `USER_NOT_FOUND` also for somebody of another organization */
export async function assertMember(tx: IdentityTransaction, organizationId: string, userId: string): Promise<void> {
  if (!isGuid(userId)) throw memberNotFound();
  const member = await tx.organizationMember.count({ where: { organizationId, userId } });
  if (member === 0) throw memberNotFound();
}
