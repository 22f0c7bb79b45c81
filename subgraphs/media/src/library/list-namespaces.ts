import type { GivenId } from '@foyer/shared/ids';

import type { Context } from '../context.ts';
import { permitMediaList, privateOnlyTo } from '../media/permit-media.ts';

type Needs = Pick<Context, 'viewer' | 'permissions' | 'db'>;

interface Filter {
  workspaceId?: GivenId | null | undefined;
  tenant?: string | null | undefined;
}

/** Lists the folders that contain media. */
export async function listFolders(needs: Needs, { workspaceId, tenant }: Filter) {
  const scope = await permitMediaList(needs, workspaceId, 'media:view');
  const groups = await needs.db.media.groupBy({
    by: ['tenant', 'folder'],
    where: { AND: [scope, await privateOnlyTo(needs, 'media:view')], ...(tenant && { tenant }) },
    _count: true,
    orderBy: [{ tenant: 'asc' }, { folder: 'asc' }],
  });
  return groups.map(({ tenant, folder, _count }) => ({ tenant, folder, count: _count }));
}

/** Lists the tenants that contain media. */
export async function listTenants(needs: Needs, workspaceId: GivenId | null | undefined): Promise<string[]> {
  const scope = await permitMediaList(needs, workspaceId, 'media:view');
  const where = { AND: [scope, await privateOnlyTo(needs, 'media:view')] };
  const groups = await needs.db.media.groupBy({ by: ['tenant'], where, orderBy: { tenant: 'asc' } });
  return groups.map(({ tenant }) => tenant);
}
