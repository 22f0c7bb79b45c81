import { permitInWorkspace } from '@foyer/shared/permissions';

import type { Context } from '../context.ts';
import { readPage, type PageArguments } from '../page.ts';
import { permitChannels } from './permit.ts';

type Needs = Pick<Context, 'viewer' | 'permissions' | 'db'>;

/** The channels of a workspace; without one, all of them for who runs the platform. */
export async function listChannels(needs: Needs, args: PageArguments & { workspaceId?: string | null | undefined }) {
  const { workspaceId } = await permitChannels(needs, args.workspaceId, 'media:view');
  if (workspaceId) return page(needs, args, { workspaceId });
  // A client that has not said who it is sees what belongs to nobody.
  return page(needs, args, needs.viewer?.kind === 'legacy-client' ? { workspaceId: null } : {});
}

/** The channels of one workspace. */
export async function channelsOfWorkspace(needs: Needs, id: string, args: PageArguments) {
  const { workspaceId } = await permitInWorkspace(needs, id, 'media:view');
  return page(needs, args, { workspaceId });
}

/** The channels of all workspaces of an organization that the viewer may look into. */
export async function channelsOfOrganization(needs: Needs, organizationId: string, args: PageArguments) {
  const workspaces = needs.viewer
    ? await needs.permissions.workspacesWith(needs.viewer, organizationId, 'media:view')
    : [];
  return page(needs, args, { organizationId, workspaceId: { in: [...workspaces] } });
}

interface Filter {
  organizationId?: string;
  workspaceId?: string | null | { in: string[] };
}

const page = ({ db }: Needs, args: PageArguments, filter: Filter) =>
  readPage(args, {
    find: ({ where, ...range }) => db.channel.findMany({ ...range, where: { ...filter, ...where } }),
    count: () => db.channel.count({ where: filter }),
  });
