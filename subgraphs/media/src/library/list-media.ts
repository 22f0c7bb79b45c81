import type { Prisma } from '@foyer/prisma/client';
import type { Id } from '@foyer/shared/ids';
import { connectionOf, readPage, type PageArguments } from '@foyer/shared/pagination';
import { requireStaff, unauthenticated } from '@foyer/shared/auth/viewer';

import type { Context } from '../context.ts';
import type { MediaFilter } from '../generated/graphql.ts';
import { classify } from '../media/media-type.ts';
import { showInFull } from '../media/media.ts';
import { cursorOf, olderThan } from './media-cursor.ts';
import { permitMediaList } from '../media/permit-media.ts';

type Needs = Pick<Context, 'viewer' | 'permissions' | 'db'>;

/** Lists the library of one workspace, or of all that the viewer may look into. */
export async function listMedia(
  needs: Needs,
  { filter, ...page }: PageArguments & { filter?: MediaFilter | null | undefined },
) {
  const scope = await permitMediaList(needs, filter?.workspaceId, 'media:view');
  return connection(needs, { ...scope, ...whereOf(filter) }, page);
}

/** Lists the media of one workspace. */
export async function listWorkspaceMedia(needs: Needs, workspaceId: Id, page: PageArguments) {
  return connection(needs, await permitMediaList(needs, workspaceId, 'media:view'), page);
}

/** Lists the media of those workspaces of an organization that the viewer may look into. */
export async function listOrganizationMedia(needs: Needs, organizationId: Id, page: PageArguments) {
  if (!needs.viewer) throw unauthenticated();
  const workspaces = await needs.permissions.workspacesWith(needs.viewer, organizationId, 'media:view');
  return connection(needs, { organizationId, workspaceId: { in: [...workspaces] } }, page);
}

/** Lists what a person has uploaded to workspaces that the viewer may look into. */
export async function listUserMedia(needs: Needs, userId: Id, page: PageArguments) {
  const viewer = requireStaff(needs.viewer);
  const workspaces = await needs.permissions.workspacesWith(viewer, viewer.organizationId, 'media:view');
  return connection(needs, { createdBy: userId, workspaceId: { in: [...workspaces] } }, page);
}

const whereOf = (filter: MediaFilter | null | undefined): Prisma.MediaWhereInput => ({
  ...(filter?.tenant && { tenant: filter.tenant }),
  ...(typeof filter?.folder === 'string' && { folder: filter.folder }),
  ...(filter?.type && { mediaType: classify(filter.type) }),
  ...(filter?.status && { status: filter.status }),
});

async function connection({ db }: Needs, where: Prisma.MediaWhereInput, page: PageArguments) {
  const { first, take, skip, after } = readPage(page);
  const rows = await db.media.findMany({
    where: { AND: [where, olderThan(after)] },
    orderBy: { id: 'desc' },
    take,
    skip,
  });
  return { ...connectionOf(rows.map(showInFull), first, cursorOf), totalCount: await db.media.count({ where }) };
}
