import type { GivenId } from '@foyer/shared/ids';

import type { Context } from '../context.ts';
import { within } from './list-media.ts';
import { permitMedia } from './permit-media.ts';

type Needs = Pick<Context, 'viewer' | 'permissions' | 'db'>;

interface Which {
  workspaceId?: GivenId | null | undefined;
  tenant?: string | null | undefined;
}

/** The folders with something in them. */
export async function listFolders(needs: Needs, { workspaceId, tenant }: Which) {
  const grant = await permitMedia(needs, workspaceId, 'media:view');
  const groups = await needs.db.media.groupBy({
    by: ['tenant', 'folder'],
    where: { ...within(grant), ...(tenant && { tenant }) },
    _count: true,
    orderBy: [{ tenant: 'asc' }, { folder: 'asc' }],
  });
  return groups.map(({ tenant, folder, _count }) => ({ tenant, folder, count: _count }));
}

/** The tenants with something in them. */
export async function listTenants(needs: Needs, workspaceId: GivenId | null | undefined): Promise<string[]> {
  const grant = await permitMedia(needs, workspaceId, 'media:view');
  const groups = await needs.db.media.groupBy({ by: ['tenant'], where: within(grant), orderBy: { tenant: 'asc' } });
  return groups.map(({ tenant }) => tenant);
}
