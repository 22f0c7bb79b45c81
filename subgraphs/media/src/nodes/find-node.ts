import { rowId } from '@foyer/shared/ids';

import type { Context } from '../context.ts';
import type { NodeKind } from './node.ts';
import { permitNodeView, type OnBehalf } from './permit-node.ts';
import { nodeNotFound } from './refusals.ts';
import { registryOf } from './registry.ts';

type Needs = Pick<Context, 'viewer' | 'permissions' | 'db'>;

/** Finds a node that the viewer may see. */
export async function findNode(needs: Needs, kind: NodeKind, { id, workspaceId }: OnBehalf & { id: string }) {
  await permitNodeView(needs, workspaceId);
  return nodeById(needs, kind, id);
}

/** Finds a node without checking permissions. */
export async function nodeById({ db }: Pick<Context, 'db'>, kind: NodeKind, id: string) {
  const node = await registryOf(db, kind).findUnique({ where: { id: rowId(id) } });
  if (!node) throw nodeNotFound(kind, id);
  return node;
}
