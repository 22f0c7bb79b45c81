import { requireService } from '@foyer/shared/auth/viewer';
import type { Id } from '@foyer/shared/ids';

import { auditChange, type AuditNeeds } from '../audit/audit-change.ts';
import type { Context } from '../context.ts';

type Needs = AuditNeeds & Pick<Context, 'db'>;

interface UpsertOrganizationInput {
  id: Id;
  name: string;
  status?: 'PENDING' | 'ACTIVE' | 'DISABLED' | null | undefined;
}

const inSmall = { PENDING: 'pending', ACTIVE: 'active', DISABLED: 'disabled' } as const;

/** Records an organization in the core service; fields that are not given stay. */
export async function upsertOrganization(
  needs: Needs,
  { id, name, status }: UpsertOrganizationInput,
): Promise<{ id: string }> {
  requireService(needs.viewer);
  const facts = { name, ...(status && { status: inSmall[status] }) };
  return needs.db.$transaction(async (tx) => {
    const about = { organizationId: id, target: { kind: 'organization', id } };
    const made = await tx.organization.createMany({ data: { id, ...facts }, skipDuplicates: true });
    if (made.count === 1) {
      await auditChange(needs, tx, { ...about, action: 'organization.recorded', details: facts });
      return { id };
    }
    const { name: was, status: from } = await tx.organization.findUniqueOrThrow({ where: { id } });
    const to = facts.status ?? from;
    if (was === name && from === to) return { id };
    await tx.organization.update({ where: { id }, data: facts });
    await auditChange(needs, tx, { ...about, action: 'organization.record-changed', details: { name, from, to } });
    return { id };
  });
}
