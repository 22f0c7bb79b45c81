import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { loopback, openAddressPolicy } from '@foyer/shared/http/addresses/address-policy';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { askStreamers } from './streamers.ts';

let server: Server;
let requests: string[];
let apiPort: number;
let closed: number;

beforeAll(async () => {
  requests = [];
  server = createServer(({ method, url }, response) => {
    requests.push(`${method} ${url}`);
    response.writeHead(url === '/api/ping' ? 204 : 404).end();
  });
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  apiPort = (server.address() as AddressInfo).port;
  const other = createServer();
  await new Promise<void>((done) => void other.listen(0, '127.0.0.1', done));
  closed = (other.address() as AddressInfo).port;
  await new Promise((done) => void other.close(done));
});
afterAll(() => void server.close());

const here = openAddressPolicy({ networks: loopback, services: [] });
const elsewhere = openAddressPolicy({ networks: [], services: [] });
const running = { isStopped: false };
const attic = () => ({ name: 'Attic', host: '127.0.0.1', apiPort });

describe('the doctor at the streamer nodes', () => {
  it('pings each as the server does', async () => {
    expect(await askStreamers([attic()], here, running)).toEqual([
      { part: 'streamer Attic', state: 'ok', found: `answers at 127.0.0.1:${apiPort}` },
    ]);
    expect(requests).toEqual(['GET /api/ping']);
  });

  it('warns of one that is silent, and explains what to do; the others are still checked', async () => {
    const cellar = { name: 'Cellar', host: '127.0.0.1', apiPort: closed };
    const [silent, well] = await askStreamers([cellar, attic()], here, running);
    expect(silent).toMatchObject({
      part: 'streamer Cellar',
      state: 'warning',
      cure: expect.stringContaining('start it'),
    });
    expect(silent?.found).toContain('ECONNREFUSED');
    expect(well).toMatchObject({ state: 'ok' });
  });

  it('names the rule when the server may not connect to a node', async () => {
    const [finding] = await askStreamers([attic()], elsewhere, running);
    expect(finding).toMatchObject({ state: 'warning', cure: expect.stringContaining('NODE_NETWORKS') });
  });

  it('skips a node that may belong to a stopped server', async () => {
    const local = { name: 'Embedded', host: 'localhost', apiPort: closed };
    const findings = await askStreamers([local, { ...attic(), apiPort: closed }], here, { isStopped: true });
    expect(findings.map(({ state }) => state)).toEqual(['skipped', 'skipped']);
  });
});
