import type { Context } from '../context.ts';
import type { NodeKind } from './node.ts';
import { askNode } from './ping-node.ts';
import { registryOf, type NodeRow } from './registry.ts';

type Needs = Pick<Context, 'db' | 'streamer' | 'clock' | 'log' | 'nodePollMs'>;

const kinds: readonly NodeKind[] = ['streamer', 'cache', 'load-balancer'];

/** How many of a kind are asked in one turn, and how many at the same time. */
const BATCH = 200;
const AT_ONCE = 8;

/**
 * Asks every node that was asked at least once whether it is still there: a status that nobody looks after would soon
 * be a lie. Each is asked once in an interval, by whichever process takes it first. What nobody has asked stays
 * `unknown`, as the documents have it.
 */
export async function pollNodes(needs: Needs): Promise<void> {
  const due = (await Promise.all(kinds.map((kind) => takeDue(needs, kind)))).flat();
  const askNext = async () => {
    for (let next = due.shift(); next; next = due.shift()) await askNode(needs, next.kind, next.node);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, askNext));
}

/** What is due, marked as asked: of two processes that look at once, one takes it. */
async function takeDue({ db, clock, nodePollMs }: Needs, kind: NodeKind): Promise<{ kind: NodeKind; node: NodeRow }[]> {
  const nodes = registryOf(db, kind);
  const now = clock.now();
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
