import type { IdentityTransaction } from '@foyer/prisma/identity';
import { isUuid, type Id } from '@foyer/shared/ids';

import { organizationNotFound } from './refusals.ts';

/**
 * Serializes changes of one organization's roles and access: rules that look at several rows (double access, the last
 * owner) rely on it. Others may go on reading, and adding rows that refer to it.
 *
 * @throws {Refusal} `ORGANIZATION_NOT_FOUND`
 */
export async function lockOrganization(tx: IdentityTransaction, organizationId: Id): Promise<void> {
  if (!isUuid(organizationId)) throw organizationNotFound();
  const locked = await tx.$executeRaw`
    SELECT 1 FROM tenancy.organizations WHERE id = ${organizationId}::uuid FOR NO KEY UPDATE`;
  if (locked === 0) throw organizationNotFound();
}
