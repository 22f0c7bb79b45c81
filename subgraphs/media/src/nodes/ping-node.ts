import { Refusal } from '@foyer/shared/errors';

import type { Context } from '../context.ts';
import { databaseTime } from '../database-time.ts';
import { nodeById } from './find-node.ts';
import type { NodeKind } from './node.ts';
import { permitNodeChange } from './permit-node.ts';
import { registryOf, type NodeRow } from './registry.ts';

export interface Ping {
  status: 'online' | 'offline';
  /** When the node was pinged. */
  pingedAt: Date;
}

type Needs = Pick<Context, 'viewer' | 'permissions' | 'db' | 'streamer' | 'log'>;

/**
 * Pings a node, and records the result: `online` with the time of its answer, or `offline`. It is not an error when a node
 * does not answer.
 */
export async function pingNode(needs: Needs, kind: NodeKind, id: string): Promise<Ping> {
  await permitNodeChange(needs);
  return pingRegisteredNode(needs, kind, await nodeById(needs, kind, id));
}

/** Pings a node without checking permissions. */
export async function pingRegisteredNode(
  needs: Pick<Context, 'db' | 'streamer' | 'log'>,
  kind: NodeKind,
  node: NodeRow,
): Promise<Ping> {
  const online = await answers(needs, node);
  const pingedAt = await databaseTime(needs.db);
  const status = online ? 'online' : 'offline';

  await registryOf(needs.db, kind).updateMany({
    where: { id: node.id, host: node.host, apiPort: node.apiPort }, // not when the address changed meanwhile
    data: { status, checkedAt: pingedAt, ...(online && { lastPingedAt: pingedAt }) },
  });
  return { status, pingedAt };
}

async function answers({ streamer, log }: Pick<Context, 'streamer' | 'log'>, node: NodeRow): Promise<boolean> {
  try {
    await streamer.ping(node);
    return true;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    log.info({ node: node.id, reason: error.reason }, 'a node does not answer');
    return false;
  }
}
