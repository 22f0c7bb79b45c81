import type { Prisma } from '@foyer/prisma/client';
import type { Id } from '@foyer/shared/ids';
import { connectionOf, readPage, takeOfSearch, type PageArguments } from '@foyer/shared/pagination';
import { requireStaff, unauthenticated } from '@foyer/shared/auth/viewer';

import type { Context } from '../context.ts';
import type { MediaFilter, MediaSort } from '../generated/graphql.ts';
import { showInFull } from '../media/media.ts';
import type { MediaPage } from './media-page.ts';
import { whereOf } from './media-filter.ts';
import { mediaAfter, mediaCursor, orderBy } from './media-sort.ts';
import { permitMediaList, privateOnlyTo, type MediaScope } from '../media/permit-media.ts';

type Needs = Pick<Context, 'viewer' | 'permissions' | 'db'>;

interface Sorted {
  sort?: MediaSort | null | undefined;
}

/** Lists the library of one workspace, or of all that the viewer may look into. */
export async function listMedia(
  needs: Needs,
  { filter, ...page }: PageArguments & Sorted & { filter?: MediaFilter | null | undefined },
) {
  const scope = await permitMediaList(needs, filter?.workspaceId, 'media:view');
  const given = Object.entries(filter ?? {}).filter(([name, value]) => name !== 'workspaceId' && value != null);
  const narrowed = given.length > 0 ? whereOf(filter) : undefined;
  return connection(needs, { scope, narrowed, isSearch: Boolean(filter?.text) }, page);
}

/** Lists the media of one workspace. */
export async function listWorkspaceMedia(needs: Needs, workspaceId: Id, page: PageArguments) {
  return connection(needs, { scope: await permitMediaList(needs, workspaceId, 'media:view') }, page);
}

/** Lists the media of those workspaces of an organization that the viewer may look into. */
export async function listOrganizationMedia(needs: Needs, organizationId: Id, page: PageArguments) {
  if (!needs.viewer) throw unauthenticated();
  const workspaces = await needs.permissions.workspacesWith(needs.viewer, organizationId, 'media:view');
  return connection(needs, { scope: { organizationId, workspaceId: { in: [...workspaces] } } }, page);
}

/** Lists what a person has uploaded to workspaces that the viewer may look into. */
export async function listUserMedia(needs: Needs, userId: Id, page: PageArguments) {
  const viewer = requireStaff(needs.viewer);
  const workspaces = await needs.permissions.workspacesWith(viewer, viewer.organizationId, 'media:view');
  const scope = { workspaceId: { in: [...workspaces] } };
  return connection(needs, { scope, narrowed: { createdBy: userId } }, page);
}

interface Wanted {
  scope: MediaScope;
  narrowed?: Prisma.MediaWhereInput | undefined;
  /** Whether it is narrowed by a text. */
  isSearch?: boolean;
}

async function connection(
  needs: Needs,
  { scope, narrowed, isSearch = false }: Wanted,
  { sort, ...page }: PageArguments & Sorted,
): Promise<MediaPage> {
  const order = sort ?? 'NEWEST';
  const { db } = needs;
  const privately = await privateOnlyTo(needs, 'media:view');
  const isWhole = !narrowed && Object.keys(privately).length === 0;
  const where = { AND: [{ ...scope, ...narrowed }, privately] };
  const { first, take, skip, after } = readPage(page);
  const rows = await db.media.findMany({
    where: { AND: [where, mediaAfter(order, after)] },
    orderBy: orderBy(order),
    take: isSearch ? takeOfSearch(take) : take,
    skip,
  });
  const { edges, pageInfo } = connectionOf(rows, first, mediaCursor(order));
  return {
    edges: edges.map(({ cursor, node }) => ({ cursor, node: showInFull(node) })),
    pageInfo,
    where,
    whole: isWhole ? scope : undefined,
  };
}
