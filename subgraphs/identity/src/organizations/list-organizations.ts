import { permitOnPlatform } from '@foyer/shared/auth/permissions';

import type { Context } from '../context.ts';
import { readConnection, uuidAfter, type PageArguments } from '@foyer/shared/pagination';
import { organizationAsSeen } from '../tenancy/organization.ts';

type Needs = Pick<Context, 'viewer' | 'permissions' | 'db'>;

/** Lists all organizations, for the platform console. */
export async function listOrganizations(needs: Needs, args: PageArguments) {
  await permitOnPlatform(needs, 'platform:apps:platformconsole:access');
  const page = await readConnection(args, {
    find: ({ after, ...range }) =>
      needs.db.organization.findMany({ where: { id: uuidAfter(after) }, orderBy: { id: 'asc' }, ...range }),
    count: () => needs.db.organization.count(),
    keyOf: ({ id }) => id,
  });
  const edges = page.edges.map(({ cursor, node }) => ({ cursor, node: organizationAsSeen(node, true) }));
  return { ...page, edges };
}
