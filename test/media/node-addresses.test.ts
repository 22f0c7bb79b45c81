import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { send } from '../support/fixtures/people.ts';
import { sharedServer, type SharedServer } from '../support/servers/shared-server.ts';

let server: SharedServer;
/** The embedded services of the server, and its own address, by the variable that names them. */
let services: Record<string, { port: number }>;

beforeAll(async () => {
  server = await sharedServer();
  const running = JSON.parse(await readFile(join(server.dataDir, 'running.json'), 'utf8')) as Record<string, string>;
  const told: Record<string, string> = { ...running, DATABASE_URL: server.databaseUrl };
  const portOf = (name: string) => Number(URL.parse(told[name] ?? '')?.port);
  services = Object.fromEntries(
    ['DATABASE_URL', 'IDP_URL', 'PAYMENT_GATEWAY_URL', 'SMTP_URL', 'PUBLIC_URL'].map((name) => [
      name,
      { port: portOf(name) },
    ]),
  );
  services['the page of the inbox'] = { port: Number(/\d+$/.exec(told['OWN_SERVICES'] ?? '')?.[0]) };
});
const kinds = ['/streamers', '/caches', '/load-balancers'];

async function registered(kind: string, host: string, apiPort: number): Promise<string> {
  const { status, json } = await send(server, 'POST', kind, { body: { name: host, host, httpPort: 80, apiPort } });
  expect(status).toBe(201);
  return `${kind}/${json.data.id}`;
}

describe('a service of the server itself', () => {
  it.each(['DATABASE_URL', 'IDP_URL', 'PAYMENT_GATEWAY_URL', 'SMTP_URL', 'PUBLIC_URL', 'the page of the inbox'])(
    'can not be registered as a node, though nodes may be on this machine: %s',
    async (name) => {
      const port = services[name]?.port ?? 0;
      expect(port).toBeGreaterThan(0);
      for (const host of ['127.0.0.1', 'localhost', '127.0.0.2', '::1', '::ffff:127.0.0.1'])
        for (const kind of kinds) {
          const at = await registered(kind, host, port);
          const { status, json } = await send(server, 'GET', `${at}/proxy/`);
          expect({ host, status, code: json.code }).toEqual({ host, status: 502, code: 'NODE_ADDRESS_FORBIDDEN' });
          expect((await send(server, 'POST', `${at}/ping`)).json.data.status).toBe('offline');
          // Its health would be checked for as long as it exists.
          await send(server, 'DELETE', at);
        }
    },
  );

  it('does not block a node on another port', async () => {
    const { json } = await send(server, 'GET', '/streamers?limit=100');
    const embedded = json.data.find(({ name }: { name: string }) => name === 'Embedded streamer');
    expect((await send(server, 'GET', `/streamers/${embedded.id}/proxy/api/ping`)).json.status).toBe('ok');
  });
});
