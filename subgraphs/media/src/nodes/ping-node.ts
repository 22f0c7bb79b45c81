import { Refusal } from '@foyer/shared/errors';

import type { Context } from '../context.ts';
import { nodeById } from './find-node.ts';
import type { NodeKind } from './node.ts';
import { permitNodeChange } from './permit.ts';
import { registryOf } from './registry.ts';

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
  const node = await nodeById(needs, kind, id);
  const online = await answers(needs, node);
  const pingedAt = needs.clock.now();
  const status = online ? 'online' : 'offline';

  await registryOf(needs.db, kind).updateMany({
    where: { id: node.id, host: node.host, apiPort: node.apiPort }, // moved meanwhile: then this says nothing about it
    data: { status, ...(online && { lastPingedAt: pingedAt }) },
  });
  return { status, pingedAt };
}

async function answers(
  { streamer, log }: Needs,
  node: { id: number; host: string; apiPort: number },
): Promise<boolean> {
  try {
    await streamer.ping(node);
    return true;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    log.info({ node: node.id, reason: error.reason }, 'a node does not answer');
    return false;
  }
}
