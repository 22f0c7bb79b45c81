import type { Streamer } from '@foyer/prisma/client';
import type { MediaTransaction } from '@foyer/prisma/media';
import { rowId } from '@foyer/shared/ids';

import type { Context } from '../context.ts';
import { checkNode, type NodeFields, type NodeKind } from './node.ts';
import { permitNodeChange } from './permit-node.ts';
import { nodeNotFound } from './refusals.ts';
import { registryOf } from './registry.ts';

type Needs = Pick<Context, 'viewer' | 'permissions' | 'nodeAddresses' | 'db'>;

export type NodeChanges = { [Field in keyof NodeFields]?: NodeFields[Field] | null | undefined };

/**
 * Updates a node. A new address makes its status unknown again.
 *
 * @param onUpdate runs in the same transaction
 */
export async function updateNode(
  needs: Needs,
  kind: NodeKind,
  { id, ...changes }: NodeChanges & { id: string },
  onUpdate: (tx: MediaTransaction, node: Streamer) => Promise<void> = async () => undefined,
): Promise<Streamer> {
  // Before the transaction, which holds a connection and must not wait for a second one.
  await permitNodeChange(needs);
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value != null)) as Partial<NodeFields>;
  const fields = checkNode(given, needs.nodeAddresses);

  return needs.db.$transaction(async (tx) => {
    const nodes = registryOf(tx, kind);
    const before = await nodes.findUnique({ where: { id: rowId(id) } });
    if (!before) throw nodeNotFound(kind, id);
    const isMoved =
      (fields.host ?? before.host) !== before.host || (fields.apiPort ?? before.apiPort) !== before.apiPort;
    const data = { ...fields, ...(isMoved && { status: 'unknown' as const }) };
    const node = await nodes.update({ where: { id: before.id }, data });
    await onUpdate(tx, node);
    return node;
  });
}
