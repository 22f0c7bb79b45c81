import type { GivenId, Id } from '@foyer/shared/ids';
import { readConnection, type PageArguments } from '@foyer/shared/pagination';
import { unauthenticated } from '@foyer/shared/auth/viewer';

import type { Context } from '../context.ts';
import { permitMediaList, type MediaScope } from '../media/permit-media.ts';
import { rowAfter } from '../row-after.ts';

interface OfWorkspace {
  workspaceId?: GivenId | null | undefined;
}

type Needs = Pick<Context, 'viewer' | 'permissions' | 'db'>;

/** Lists the channels of one workspace, or of all that the viewer may look into. */
export async function listChannels(needs: Needs, { workspaceId, ...args }: PageArguments & OfWorkspace) {
  return page(needs, args, await permitMediaList(needs, workspaceId, 'media:view'));
}

/** Lists the channels of those workspaces of an organization that the viewer may look into. */
export async function listOrganizationChannels(needs: Needs, organizationId: Id, args: PageArguments) {
  if (!needs.viewer) throw unauthenticated();
  const workspaces = await needs.permissions.workspacesWith(needs.viewer, organizationId, 'media:view');
  return page(needs, args, { organizationId, workspaceId: { in: [...workspaces] } });
}

const page = ({ db }: Needs, args: PageArguments, filter: MediaScope) =>
  readConnection(args, {
    find: ({ after, ...range }) =>
      db.channel.findMany({ where: { ...filter, id: rowAfter(after) }, orderBy: { id: 'asc' }, ...range }),
    count: () => db.channel.count({ where: filter }),
    keyOf: ({ id }) => String(id),
  });
