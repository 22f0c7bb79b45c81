import { isReferenceViolation } from '@foyer/shared/database-errors';
import { rowId } from '@foyer/shared/ids';

import type { Context } from '../context.ts';
import type { NodeKind } from './node.ts';
import { permitNodeChange } from './permit-node.ts';
import { nodeNotFound, streamerInUse } from './refusals.ts';
import { registryOf } from './registry.ts';

type Needs = Pick<Context, 'viewer' | 'permissions' | 'db'>;

/** Removes a node from the registry; a streamer only when no channel runs on it. Returns its id. */
export async function deleteNode(needs: Needs, kind: NodeKind, id: string): Promise<string> {
  await permitNodeChange(needs);
  try {
    const { count } = await registryOf(needs.db, kind).deleteMany({ where: { id: rowId(id) } });
    if (count === 0) throw nodeNotFound(kind, id);
    return id;
  } catch (error) {
    // The foreign key of the channels' origins decides, however close the two requests are.
    if (isReferenceViolation(error)) throw streamerInUse(id);
    throw error;
  }
}
