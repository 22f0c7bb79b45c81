import type { Context } from '../context.ts';
import { checkNode, type NodeFields, type NodeKind } from './node.ts';
import { permitNodeChange } from './permit-node.ts';
import { registryOf } from './registry.ts';

type Needs = Pick<Context, 'viewer' | 'permissions' | 'db' | 'nodeAddresses'>;

/** Registers a node; its status is unknown until the first ping. */
export async function createNode(needs: Needs, kind: NodeKind, { name, host, httpPort, apiPort }: NodeFields) {
  await permitNodeChange(needs);
  return registryOf(needs.db, kind).create({ data: checkNode({ name, host, httpPort, apiPort }, needs.nodeAddresses) });
}
