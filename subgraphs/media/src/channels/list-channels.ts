import type { GivenId, Id } from '@foyer/shared/ids';
import { unauthenticated } from '@foyer/shared/viewer';

import type { Context } from '../context.ts';
import { permitMedia, type MediaGrant } from '../library/permit-media.ts';
import { readPage, type PageArguments } from '../page.ts';

interface OfWorkspace {
  workspaceId?: GivenId | null | undefined;
}

type Needs = Pick<Context, 'viewer' | 'permissions' | 'db'>;

/** The channels of one workspace, or of what a legacy client names. */
export async function listChannels(needs: Needs, { workspaceId, ...args }: PageArguments & OfWorkspace) {
  const grant = await permitMedia(needs, workspaceId, 'media:view');
  return page(needs, args, within(grant));
}

/** The channels of all workspaces of an organization that the viewer may look into. */
export async function channelsOfOrganization(needs: Needs, organizationId: Id, args: PageArguments) {
  if (!needs.viewer) throw unauthenticated();
  const workspaces = await needs.permissions.workspacesWith(needs.viewer, organizationId, 'media:view');
  return page(needs, args, { organizationId, workspaceId: { in: [...workspaces] } });
}

interface Filter {
  organizationId?: Id;
  workspaceId?: Id | { in: string[] };
}

/** Every channel that a grant reaches. */
const within = ({ workspaceId, organizationId }: MediaGrant): Filter => ({
  ...(workspaceId && { workspaceId }),
  ...(!workspaceId && organizationId && { organizationId }),
});

const page = ({ db }: Needs, args: PageArguments, filter: Filter) =>
  readPage(args, {
    find: ({ where, ...range }) => db.channel.findMany({ ...range, where: { ...filter, ...where } }),
    count: () => db.channel.count({ where: filter }),
  });
