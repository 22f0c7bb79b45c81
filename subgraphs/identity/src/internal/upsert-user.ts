import type { User } from '@foyer/prisma/client';
import { unproven, type GivenId } from '@foyer/shared/ids';
import { requireService } from '@foyer/shared/auth/viewer';

import { auditChange, type AuditNeeds } from '../audit/audit-change.ts';
import type { Context } from '../context.ts';
import { belongsElsewhere } from './refusals.ts';

type Needs = AuditNeeds & Pick<Context, 'db'>;

interface UpsertUserInput {
  id: string;
  organizationId: GivenId;
  email: string;
  username: string;
  firstName?: string | null | undefined;
  lastName?: string | null | undefined;
}

/**
 * Records a person in the core service. The organization may arrive later; a person recorded under another one stays
 * unchanged.
 */
export async function upsertUser(
  needs: Needs,
  { id, email, username, firstName, lastName, ...input }: UpsertUserInput,
): Promise<{ id: string }> {
  requireService(needs.viewer);
  const organizationId = unproven(input.organizationId);
  const facts = { email, username, ...(firstName && { firstName }), ...(lastName && { lastName }) };
  return needs.db.$transaction(async (tx) => {
    const target = { kind: 'user', id };
    const made = await tx.user.createMany({ data: { id, organizationId, ...facts }, skipDuplicates: true });
    if (made.count === 1) {
      await auditChange(needs, tx, { organizationId, action: 'user.recorded', target });
      return { id };
    }
    const before = await tx.user.findUnique({ where: { id, organizationId } });
    if (!before) throw belongsElsewhere();
    const fields = Object.entries(facts).flatMap(([name, value]) =>
      before[name as keyof User] === value ? [] : [name],
    );
    if (fields.length === 0) return { id };
    await tx.user.update({ where: { id }, data: facts });
    await auditChange(needs, tx, { organizationId, action: 'user.record-changed', target, details: { fields } });
    return { id };
  });
}
