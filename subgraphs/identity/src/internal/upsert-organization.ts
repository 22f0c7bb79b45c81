import { requireService } from '@foyer/shared/auth/viewer';

import type { Context } from '../context.ts';

interface UpsertOrganizationInput {
  id: string;
  name: string;
  status?: 'PENDING' | 'ACTIVE' | 'DISABLED' | null | undefined;
}

const inSmall = { PENDING: 'pending', ACTIVE: 'active', DISABLED: 'disabled' } as const;

/** Records an organization in the core service; fields that are not given stay. */
export async function upsertOrganization(
  { viewer, db }: Pick<Context, 'viewer' | 'db'>,
  { id, name, status }: UpsertOrganizationInput,
): Promise<{ id: string }> {
  requireService(viewer);
  const data = { name, ...(status && { status: inSmall[status] }) };
  await db.organization.upsert({ where: { id }, create: { id, ...data }, update: data });
  return { id };
}
