import type { GivenId } from '@foyer/shared/ids';

import type { Context } from '../context.ts';
import { permitMediaList } from '../media/permit-media.ts';

type Needs = Pick<Context, 'viewer' | 'permissions' | 'db'>;

interface Which {
  workspaceId?: GivenId | null | undefined;
  tenant?: string | null | undefined;
}

/** The folders with something in them. */
export async function listFolders(needs: Needs, { workspaceId, tenant }: Which) {
  const reach = await permitMediaList(needs, workspaceId, 'media:view');
  const groups = await needs.db.media.groupBy({
    by: ['tenant', 'folder'],
    where: { ...reach, ...(tenant && { tenant }) },
    _count: true,
    orderBy: [{ tenant: 'asc' }, { folder: 'asc' }],
  });
  return groups.map(({ tenant, folder, _count }) => ({ tenant, folder, count: _count }));
}

/** The tenants with something in them. */
export async function listTenants(needs: Needs, workspaceId: GivenId | null | undefined): Promise<string[]> {
  const reach = await permitMediaList(needs, workspaceId, 'media:view');
  const groups = await needs.db.media.groupBy({ by: ['tenant'], where: reach, orderBy: { tenant: 'asc' } });
  return groups.map(({ tenant }) => tenant);
}
