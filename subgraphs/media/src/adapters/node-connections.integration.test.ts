import type { LookupAddress } from 'node:dns';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import {
  AddressForbidden,
  loopback,
  openAddressPolicy,
  type Lookup,
} from '@foyer/shared/http/addresses/address-policy';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { openNodeConnections } from './node-connections.ts';

/** What the name leads to, question by question; the last answer is repeated. */
function answering(...answers: string[][]) {
  const lookups: string[] = [];
  const resolve: Lookup = async (hostname) => {
    lookups.push(hostname);
    const answer = (answers.length > 1 ? answers.shift() : answers[0]) ?? [];
    return answer.map((address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 }));
  };
  return { lookups, resolve };
}

const connecting = (networks: readonly string[], resolve: Lookup) =>
  openNodeConnections({ timeoutMs: 1_000, addresses: openAddressPolicy({ networks, services: [], resolve }) });

let server: Server;
let origin: string;
let visits: number;

beforeEach(async () => {
  visits = 0;
  server = createServer((_request, response) => {
    visits++;
    response.setHeader('connection', 'close').end('here'); // the next question needs a connection of its own
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://node.example:${(server.address() as AddressInfo).port}`;
});
afterEach(() => server.close().closeAllConnections());

const ask = async (connections: ReturnType<typeof openNodeConnections>) => {
  const { body } = await connections.request({ origin, path: '/', method: 'GET' });
  return body.text();
};

describe('a name whose address changes', () => {
  it('is resolved for every connection, and refused as soon as it leads to a forbidden address', async () => {
    const { lookups, resolve } = answering(['127.0.0.1'], ['169.254.169.254']);
    const connections = connecting(loopback, resolve);

    expect(await ask(connections)).toBe('here');
    await expect(ask(connections)).rejects.toThrow(AddressForbidden);
    expect([lookups.length, visits]).toEqual([2, 1]);
    await connections.close();
  });

  it.each([
    [['127.0.0.1']],
    [['::1']],
    [['::ffff:127.0.0.1']],
    [['0.0.0.0']],
    [['8.8.8.8', '169.254.169.254']],
    [['fe80::1']],
  ])('is refused when it leads to %s', async (addresses) => {
    const connections = connecting([], answering(addresses).resolve);

    await expect(ask(connections)).rejects.toThrow(AddressForbidden);
    expect(visits).toBe(0);
    await connections.close();
  });
});
