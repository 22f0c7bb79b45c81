import type { Context } from '../context.ts';
import { readPage, type PageArguments } from '../page.ts';
import type { NodeKind } from './node.ts';
import { permitNodeView, type OnBehalf } from './permit-node.ts';
import { registryOf } from './registry.ts';

type Needs = Pick<Context, 'viewer' | 'permissions' | 'db'>;

/** The nodes of one kind, oldest first. */
export async function listNodes(needs: Needs, kind: NodeKind, args: PageArguments & OnBehalf) {
  await permitNodeView(needs, args.workspaceId);
  const nodes = registryOf(needs.db, kind);
  return readPage(args, {
    find: (range) => nodes.findMany(range),
    count: () => nodes.count(),
  });
}
