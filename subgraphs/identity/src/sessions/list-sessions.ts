import { requireStaff } from '@foyer/shared/auth/viewer';

import type { Context } from '../context.ts';
import { readConnection, uuidAfter, type PageArguments } from '@foyer/shared/pagination';
import { seen } from './session.ts';

/** Lists the viewer's live sessions in the order of their ids. */
export async function listSessions(
  { viewer, db, clock }: Pick<Context, 'viewer' | 'db' | 'clock'>,
  page: PageArguments,
) {
  const { userId, sessionId } = requireStaff(viewer);
  const where = { userId, expiresAt: { gt: clock.now() } };
  const connection = await readConnection(page, {
    find: ({ after, skip, take }) =>
      db.refreshSession.findMany({ where: { ...where, id: uuidAfter(after) }, orderBy: { id: 'asc' }, skip, take }),
    count: () => db.refreshSession.count({ where }),
    keyOf: ({ id }) => id,
  });
  return {
    ...connection,
    edges: connection.edges.map(({ cursor, node }) => ({ cursor, node: seen(node, sessionId) })),
  };
}
