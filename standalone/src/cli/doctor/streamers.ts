import { isIP } from 'node:net';

import { readConfig as readMediaConfig } from '@foyer/media/config';
import { openNodeConnections } from '@foyer/media/node-connections';
import { streamer } from '@foyer/media/streamer';
import { openDatabase } from '@foyer/prisma/client';
import { mayConnect } from '@foyer/shared/address';
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
    return await askStreamers(nodes, readMediaConfig(env).nodes, house);
  } catch (error) {
    return [skipped('streamers', `not looked at: ${reasonOf(error)}`)]; // what is wrong with the database, another line says
  } finally {
    await db.$disconnect();
  }
}

/** A silent one is no more than a warning: the house marks it as offline, and goes on. */
export async function askStreamers(
  nodes: readonly Node[],
  rules: { allowLoopback: boolean },
  { isStopped }: House,
): Promise<Finding[]> {
  const connections = openNodeConnections({ ...rules, timeoutMs: PATIENCE_MS });
  const asking = streamer({ connections, timeoutMs: PATIENCE_MS });
  try {
    return await Promise.all(
      nodes.map(async (node) => {
        const part = `streamer ${node.name}`;
        const where = `${node.host}:${node.apiPort}`;
        if (isStopped && isHere(node))
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

/** Allowed, but not where no node may be on this machine. */
const isHere = ({ host }: Node) =>
  host === 'localhost' ||
  (isIP(host) !== 0 && mayConnect(host, { allowLoopback: true }) && !mayConnect(host, { allowLoopback: false }));

const cureOf = (error: unknown): string =>
  error instanceof Refusal && error.reason === 'NODE_ADDRESS_FORBIDDEN'
    ? 'no node may be at this address: register it at another (on this machine, STREAMER_ALLOW_LOOPBACK)'
    : 'start it, mend its host and API port, or remove it from the registry';
