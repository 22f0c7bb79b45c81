import { readConnection, type PageArguments } from '@foyer/shared/pagination';

import type { Context } from '../context.ts';
import { rowAfter } from '../row-after.ts';
import type { NodeKind } from './node.ts';
import { permitNodeView, type OnBehalf } from './permit-node.ts';
import { registryOf } from './registry.ts';

type Needs = Pick<Context, 'viewer' | 'permissions' | 'db'>;

/** Lists the nodes of one kind, oldest first. */
export async function listNodes(needs: Needs, kind: NodeKind, args: PageArguments & OnBehalf) {
  await permitNodeView(needs, args.workspaceId);
  const nodes = registryOf(needs.db, kind);
  return readConnection(args, {
    find: ({ after, ...range }) => nodes.findMany({ where: { id: rowAfter(after) }, orderBy: { id: 'asc' }, ...range }),
    count: () => nodes.count(),
    keyOf: ({ id }) => String(id),
  });
}
