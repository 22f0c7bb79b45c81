import { changeSignal, readChanges } from '@foyer/shared/events/changes';

import { changedStates } from '../changed-states.ts';
import type { Context } from '../context.ts';
import { topics } from '../topics.ts';
import type { NodeKind } from './node.ts';
import { permitNodeView, type OnBehalf } from './permit-node.ts';
import { registryOf, type NodeRow } from './registry.ts';

type Needs = Pick<Context, 'viewer' | 'permissions' | 'db' | 'events' | 'signal'>;

/** A node of any kind, and whether it answered its last ping. */
export type NodeState = Pick<NodeRow, 'id' | 'name' | 'status' | 'lastPingedAt'> & { kind: NodeKind };

const kinds: readonly NodeKind[] = ['streamer', 'cache', 'load-balancer'];

/**
 * Subscribes to the status of nodes: first of every node, then of each that is new or whose status changes; null when one
 * was removed.
 *
 * @throws {Refusal} as the lists of nodes do, also later, when the viewer loses the permission
 */
export async function subscribeToNodes(
  needs: Needs,
  { workspaceId }: OnBehalf,
): Promise<AsyncIterableIterator<NodeState | null>> {
  const changes = changeSignal(needs.signal);
  changes.onEnd(needs.events.subscribe(topics.nodes, () => changes.notify()));
  try {
    await permitNodeView(needs, workspaceId);
    const changed = changedStates<NodeState>(({ kind, id }) => `${kind}/${id}`);
    const read = async () => {
      await permitNodeView(needs, workspaceId);
      const nodes = await Promise.all(kinds.map((kind) => statesOf(needs, kind)));
      return changed(nodes.flat());
    };
    return readChanges({ changes, read });
  } catch (error) {
    changes.end();
    throw error;
  }
}

async function statesOf({ db }: Pick<Context, 'db'>, kind: NodeKind): Promise<NodeState[]> {
  const rows = await registryOf(db, kind).findMany({ orderBy: { id: 'asc' } });
  return rows.map(({ id, name, status, lastPingedAt }) => ({ kind, id, name, status, lastPingedAt }));
}
