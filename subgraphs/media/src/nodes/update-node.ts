import { rowId } from '@foyer/shared/ids';

import type { Context } from '../context.ts';
import { checkNode, type NodeFields, type NodeKind } from './node.ts';
import { permitNodeChange } from './permit.ts';
import { nodeNotFound } from './refusals.ts';
import { registryOf } from './registry.ts';

type Needs = Pick<Context, 'viewer' | 'permissions' | 'nodeAddresses'> & { db: Parameters<typeof registryOf>[0] };

export type NodeChanges = { [Field in keyof NodeFields]?: NodeFields[Field] | null | undefined };

/** Changes what is said about a node. At another address it is unknown again. */
export async function updateNode(needs: Needs, kind: NodeKind, { id, ...changes }: NodeChanges & { id: string }) {
  await permitNodeChange(needs);
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value != null)) as Partial<NodeFields>;
  const said = checkNode(given, needs.nodeAddresses);

  const nodes = registryOf(needs.db, kind);
  const before = await nodes.findUnique({ where: { id: rowId(id) } });
  if (!before) throw nodeNotFound(kind, id);
  const moved = (said.host ?? before.host) !== before.host || (said.apiPort ?? before.apiPort) !== before.apiPort;
  return nodes.update({ where: { id: before.id }, data: { ...said, ...(moved && { status: 'unknown' }) } });
}
