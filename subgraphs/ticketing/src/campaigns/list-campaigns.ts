import type { Prisma } from '@foyer/prisma/client';
import { isUuid, type GivenId, type Id } from '@foyer/shared/ids';
import { permitInWorkspace } from '@foyer/shared/auth/permissions';

import { connectionOf, cursorOf, readMomentCursor, readPage, type PageArguments } from '@foyer/shared/pagination';
import type { Context } from '../context.ts';
import { permitOver, visibleTo } from '../access/staff-scope.ts';

type Needs = Pick<Context, 'viewer' | 'db' | 'permissions'>;
type Args = PageArguments & { organizationId: GivenId; workspaceId?: GivenId | null | undefined };

const PERMISSION = 'campaign:view';
const MOST = 500;

/** Lists an organization's campaigns, of one workspace or of all that the viewer may see. */
export async function listCampaigns(needs: Needs, { organizationId, workspaceId, ...page }: Args) {
  if (workspaceId === null || workspaceId === undefined)
    return listWhere(needs, await visibleTo(needs, PERMISSION, organizationId), page);
  return listWhere(needs, await permitOver(needs, PERMISSION, { organizationId, workspaceId }), page);
}

/** Lists the campaigns of one workspace. */
export async function listWorkspaceCampaigns(needs: Needs, workspaceId: Id, page: PageArguments) {
  return listWhere(needs, await permitInWorkspace(needs, workspaceId, PERMISSION), page);
}

async function listWhere({ db }: Needs, where: Prisma.CampaignWhereInput, page: PageArguments) {
  const { first, take, skip, after } = readPage(page, MOST);
  const cursor = readMomentCursor(after, (text) => (isUuid(text) ? text : null));
  const older = cursor && {
    createdAt: { lte: cursor.moment }, // for the index
    OR: [{ createdAt: { lt: cursor.moment } }, { id: { lt: cursor.id } }],
  };
  const rows = await db.campaign.findMany({
    where: { AND: [where, older || {}] },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    skip,
    take,
    include: { targetGroup: { select: { name: true } } },
  });
  return connectionOf(rows, first, (row) => cursorOf(row.createdAt.toISOString(), row.id));
}
