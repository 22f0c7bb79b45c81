import { unproven, type GivenId } from '@foyer/shared/ids';
import { requireService } from '@foyer/shared/auth/viewer';

import type { Context } from '../context.ts';
import { accountOf, type Account } from './account.ts';
import { organizationNotFound } from '../tenancy/refusals.ts';

type Needs = Pick<Context, 'viewer' | 'db'>;

const LIMIT = 100;

/** Lists a page of an organization's people, oldest first: start-up step 7 takes the first. */
export async function listAccounts(
  { viewer, db }: Needs,
  { limit, offset, ...args }: { organizationId: GivenId; limit: number; offset: number },
): Promise<{ items: Account[]; totalCount: number }> {
  requireService(viewer);
  const organizationId = unproven(args.organizationId);
  const where = { orgId: organizationId };
  const [organization, users, totalCount] = await Promise.all([
    db.authOrganization.findUnique({ where: { id: organizationId } }),
    db.authUser.findMany({
      where,
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
      take: Math.min(Math.max(limit, 0), LIMIT),
      skip: Math.max(offset, 0),
    }),
    db.authUser.count({ where }),
  ]);
  if (!organization) throw organizationNotFound();
  return { items: users.map(accountOf), totalCount };
}
