import type { GivenId } from '@foyer/shared/ids';

import type { Context } from '../context.ts';
import { permitReading, type ReadingNeeds } from '../tenancy/permit-reading.ts';
import { readConnection, uuidAfter, type PageArguments } from '@foyer/shared/pagination';
import { workspaceAsSeen } from './workspace.ts';

type Needs = ReadingNeeds & Pick<Context, 'db'>;

/** Lists the workspaces of an organization, page by page. */
export async function pageWorkspaces(
  needs: Needs,
  { organizationId: given, ...args }: PageArguments & { organizationId?: GivenId | null | undefined },
) {
  const { organizationId } = await permitReading(needs, given);
  const page = await readConnection(args, {
    find: ({ after, ...range }) =>
      needs.db.workspace.findMany({
        where: { organizationId, id: uuidAfter(after) },
        orderBy: { id: 'asc' },
        ...range,
      }),
    count: () => needs.db.workspace.count({ where: { organizationId } }),
    keyOf: ({ id }) => id,
  });
  const edges = page.edges.map(({ cursor, node }) => ({ cursor, node: workspaceAsSeen(node, true) }));
  return { ...page, edges };
}
