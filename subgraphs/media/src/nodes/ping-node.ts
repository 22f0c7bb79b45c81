import { Refusal } from '@foyer/shared/errors';

import type { Context } from '../context.ts';
import { nodeById } from './find-node.ts';
import type { NodeKind } from './node.ts';
import { permitNodeChange } from './permit-node.ts';
import { registryOf, type NodeRow } from './registry.ts';

export interface Ping {
  status: 'online' | 'offline';
  /** When it was asked. */
  pingedAt: Date;
}

type Needs = Pick<Context, 'viewer' | 'permissions' | 'db' | 'streamer' | 'clock' | 'log'>;

/**
 * Asks a node whether it is there, and writes down what came out: `online` with the time of its
 * answer, or `offline`. A node that doesn't answer is no error of the asker.
 */
export async function pingNode(needs: Needs, kind: NodeKind, id: string): Promise<Ping> {
  await permitNodeChange(needs);
  return askNode(needs, kind, await nodeById(needs, kind, id));
}

/** The same, for code that has asked already. */
export async function askNode(
  needs: Pick<Context, 'db' | 'streamer' | 'clock' | 'log'>,
  kind: NodeKind,
  node: NodeRow,
): Promise<Ping> {
  const online = await answers(needs, node);
  const pingedAt = needs.clock.now();
  const status = online ? 'online' : 'offline';

  await registryOf(needs.db, kind).updateMany({
    where: { id: node.id, host: node.host, apiPort: node.apiPort }, // moved meanwhile: then this says nothing about it
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
