import { readConfig as readMediaConfig } from '@foyer/media/config';
import { openNodeConnections } from '@foyer/media/node-connections';
import { streamer } from '@foyer/media/streamer';
import { openDatabase } from '@foyer/prisma/client';
import { isThisMachine, openAddressPolicy, type AddressPolicy } from '@foyer/shared/http/address-policy';
import { Refusal } from '@foyer/shared/errors';

import { ok, PATIENCE_MS, reasonOf, skipped, warning, type Finding } from './finding.ts';

export interface Node {
  name: string;
  host: string;
  apiPort: number;
}

interface House {
  /** A streamer of this very machine may be a part of it, and is stopped as well. */
  isStopped: boolean;
}

/** Whether every registered streamer node answers, asked as the house asks it. */
export async function checkStreamers(env: NodeJS.ProcessEnv, house: House): Promise<Finding[]> {
  const db = openDatabase(env['DATABASE_URL'] ?? '', { connections: 1 });
  try {
    const nodes = await db.$queryRaw<Node[]>`
      SELECT name, host, api_port AS "apiPort" FROM media.streamer ORDER BY id`;
    return await askStreamers(nodes, openAddressPolicy(readMediaConfig(env).nodes.addresses), house);
  } catch (error) {
    return [skipped('streamers', `not looked at: ${reasonOf(error)}`)]; // what is wrong with the database, another line says
  } finally {
    await db.$disconnect();
  }
}

/** A silent one is no more than a warning: the house marks it as offline, and goes on. */
export async function askStreamers(
  nodes: readonly Node[],
  addresses: AddressPolicy,
  { isStopped }: House,
): Promise<Finding[]> {
  const connections = openNodeConnections({ addresses, timeoutMs: PATIENCE_MS });
  const asking = streamer({ connections, timeoutMs: PATIENCE_MS });
  try {
    return await Promise.all(
      nodes.map(async (node) => {
        const part = `streamer ${node.name}`;
        const where = `${node.host}:${node.apiPort}`;
        if (isStopped && isThisMachine(node.host))
          return skipped(part, `not looked at: ${where} may be a part of this stopped house`);
        return asking.ping(node).then(
          () => ok(part, `answers at ${where}`),
          (error: unknown) => warning(part, `no good answer from ${where}: ${reasonOf(error)}`, cureOf(error)),
        );
      }),
    );
  } finally {
    await connections.close();
  }
}

const cureOf = (error: unknown): string =>
  error instanceof Refusal && error.reason === 'NODE_ADDRESS_FORBIDDEN'
    ? 'no node may be at this address: name its network in NODE_NETWORKS, or register it at another'
    : 'start it, mend its host and API port, or remove it from the registry';
