import { readConfig as readMediaConfig } from '@foyer/media/config';
import { openNodeConnections } from '@foyer/media/node-connections';
import { streamer } from '@foyer/media/streamer';
import { openDatabase } from '@foyer/prisma/client';
import { isThisMachine, openAddressPolicy, type AddressPolicy } from '@foyer/shared/http/addresses/address-policy';
import { Refusal } from '@foyer/shared/errors';

import { ok, TIMEOUT_MS, reasonOf, skipped, warning, type Finding } from './finding.ts';

export interface Node {
  name: string;
  host: string;
  apiPort: number;
}

interface Server {
  /** Then an embedded streamer on this machine is stopped too. */
  isStopped: boolean;
}

/** Checks that every registered streamer node answers, over the connections that the server uses. */
export async function checkStreamers(env: NodeJS.ProcessEnv, server: Server): Promise<Finding[]> {
  const db = openDatabase(env['DATABASE_URL'] ?? '', { connections: 1 });
  try {
    const nodes = await db.$queryRaw<Node[]>`
      SELECT name, host, api_port AS "apiPort" FROM media.streamer ORDER BY id`;
    return await askStreamers(nodes, openAddressPolicy(readMediaConfig(env).nodes.addresses), server);
  } catch (error) {
    return [skipped('streamers', `not checked: ${reasonOf(error)}`)]; // another finding names what is wrong with the database
  } finally {
    await db.$disconnect();
  }
}

/** Warns of a silent node: the server marks it as offline and goes on. */
export async function askStreamers(
  nodes: readonly Node[],
  addresses: AddressPolicy,
  { isStopped }: Server,
): Promise<Finding[]> {
  const connections = openNodeConnections({ addresses, timeoutMs: TIMEOUT_MS });
  const port = streamer({ connections, timeoutMs: TIMEOUT_MS });
  try {
    return await Promise.all(
      nodes.map(async (node) => {
        const part = `streamer ${node.name}`;
        const where = `${node.host}:${node.apiPort}`;
        if (isStopped && isThisMachine(node.host))
          return skipped(part, `not checked: ${where} may belong to this stopped server`);
        return port.ping(node).then(
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
    ? 'nodes may not have this address: name its network in NODE_NETWORKS, or register it at another'
    : 'start it, mend its host and API port, or remove it from the registry';
