import { unproven, type GivenId } from '@foyer/shared/ids';
import { requireService } from '@foyer/shared/auth/viewer';

import type { Context } from '../context.ts';
import { belongsElsewhere } from './refusals.ts';

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
  { viewer, db }: Pick<Context, 'viewer' | 'db'>,
  { id, email, username, firstName, lastName, ...input }: UpsertUserInput,
): Promise<{ id: string }> {
  requireService(viewer);
  const organizationId = unproven(input.organizationId);
  const names = { ...(firstName && { firstName }), ...(lastName && { lastName }) };
  const made = await db.user.createMany({
    data: { id, organizationId, email, username, ...names },
    skipDuplicates: true,
  });
  if (made.count === 1) return { id };
  const { count } = await db.user.updateMany({ where: { id, organizationId }, data: { email, username, ...names } });
  if (count === 0) throw belongsElsewhere();
  return { id };
}
