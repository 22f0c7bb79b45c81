import type { Id } from '@foyer/shared/ids';
import { requireService } from '@foyer/shared/auth/viewer';

import type { Context } from '../context.ts';

/** An organization as the auth service knows it. */
export async function findAuthOrganization({ viewer, db }: Pick<Context, 'viewer' | 'db'>, id: Id) {
  requireService(viewer);
  const organization = await db.authOrganization.findUnique({ where: { id } });
  return organization && { ...organization, createdAt: organization.createdAt.toISOString() };
}
