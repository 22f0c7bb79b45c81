import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

import { freePort } from '@foyer/prisma/free-port';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { exitOf } from '../support/servers/spawned.ts';
import { noRedis, startRedisServer, whyNoRedis, type RedisServer } from '../support/servers/redis-server.ts';
import { until } from '../support/until.ts';

const root = join(import.meta.dirname, '../..');
const PER_MINUTE = 4;

interface Process {
  url: string;
  child: ChildProcess;
}

let redis: RedisServer;
let gateways: Process[] = [];

beforeAll(async () => {
  if (noRedis) return;
  redis = await startRedisServer();
  gateways = await Promise.all([openGateway(), openGateway()]);
  await countTogether();
});
afterAll(async () => {
  if (noRedis) return;
  for (const { child } of gateways) {
    child.kill('SIGTERM');
    await exitOf(child);
  }
  await redis.stop();
});

/** `node gateway/src/main.mjs`, standalone. */
async function openGateway(): Promise<Process> {
  const port = String(await freePort());
  const env = {
    PATH: process.env['PATH'] ?? '',
    PORT: port,
    REDIS_URL: redis.url,
    TRUSTED_PROXIES: '127.0.0.1',
    GRAPHQL_REQUESTS_PER_ADDRESS: String(PER_MINUTE),
  };
  const args = ['gateway/src/main.mjs', '--supergraph', 'gateway/supergraph.graphql'];
  const child = spawn(join(root, 'node_modules/.bin/node'), args, { cwd: root, env, stdio: 'ignore' });
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  child.once('exit', () => process.off('exit', end));
  const url = `http://127.0.0.1:${port}/graphql`;
  await until('the gateway', () => ask(url, 'nobody').catch(() => undefined));
  return { url, child };
}

async function ask(url: string, address: string): Promise<number> {
  const { status } = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    body: JSON.stringify({ query: '{ __typename }' }),
  });
  return status;
}

let addresses = 0;
/** How many of ten requests to each, from one address that was never seen before, each gateway answers. */
async function answered(): Promise<number[]> {
  const address = `198.51.100.${(addresses += 1)}`;
  const statuses = await Promise.all(
    gateways.map(({ url }) => Promise.all(Array.from({ length: 10 }, () => ask(url, address)))),
  );
  return statuses.map((ofOne) => ofOne.filter((status) => status === 200).length);
}
const countTogether = () => until('both to count together', async () => sum(await answered()) === PER_MINUTE);
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

describe.skipIf(noRedis)(`two gateways with one Redis${whyNoRedis}`, () => {
  it('share the limit of an address', async () => {
    expect(sum(await answered())).toBe(PER_MINUTE);
  });

  it('count alone while Redis is away, and together again when it is back', async () => {
    await redis.kill();
    expect(await answered()).toEqual([PER_MINUTE, PER_MINUTE]);

    await redis.start();
    expect(await countTogether()).toBe(true);
  });
});
