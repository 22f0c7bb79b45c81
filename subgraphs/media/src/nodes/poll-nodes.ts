import type { Context } from '../context.ts';
import { databaseTime } from '../database-time.ts';
import type { NodeKind } from './node.ts';
import { pingRegisteredNode } from './ping-node.ts';
import { registryOf, type NodeRow } from './registry.ts';

type Needs = Pick<Context, 'db' | 'streamer' | 'log' | 'nodePollMs'>;

const kinds: readonly NodeKind[] = ['streamer', 'cache', 'load-balancer'];

/** How many nodes of a kind are pinged in one sweep, and how many at the same time. */
const BATCH = 200;
const AT_ONCE = 8;

/**
 * Pings every node that was pinged before, so that its status stays current: each once in an interval, by whichever process
 * claims it first. A node that was never pinged stays `unknown`, as documented.
 */
export async function pollNodes(needs: Needs): Promise<void> {
  const due = (await Promise.all(kinds.map((kind) => claimDue(needs, kind)))).flat();
  const pingNext = async () => {
    for (let next = due.shift(); next; next = due.shift()) await pingRegisteredNode(needs, next.kind, next.node);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, pingNext));
}

/** Returns the nodes that are due, and marks them as checked: of two concurrent processes, one claims a node. */
async function claimDue({ db, nodePollMs }: Needs, kind: NodeKind): Promise<{ kind: NodeKind; node: NodeRow }[]> {
  const nodes = registryOf(db, kind);
  const now = await databaseTime(db);
  const due = { OR: [{ checkedAt: null }, { checkedAt: { lte: new Date(now.getTime() - nodePollMs) } }] };
  const found = await nodes.findMany({ where: { ...due, status: { not: 'unknown' } }, take: BATCH });
  const taken = await Promise.all(
    found.map(async (node) => {
      const { count } = await nodes.updateMany({ where: { ...due, id: node.id }, data: { checkedAt: now } });
      return count > 0 ? [{ kind, node }] : [];
    }),
  );
  return taken.flat();
}
