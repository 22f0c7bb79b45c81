import { once } from 'node:events';

import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';

import { stopServerProcess, startServerProcess, type ServerProcess } from './support/servers/server-process.ts';
import { graphql, send, logIn } from './support/fixtures/people.ts';
import { until } from './support/until.ts';

/** How long a refused login takes: long enough that the server is told to stop meanwhile. */
const FLOOR_MS = 1_500;

let server: ServerProcess;
beforeAll(async () => {
  // A process group of its own, as a shell gives one to each command.
  server = await startServerProcess({ LOGIN_FLOOR_MS: String(FLOOR_MS) }, undefined, ['setsid']);
});
afterAll(() => stopServerProcess(server));

const lastEntry = `query ($organizationId: ID!) {
  auditLog(organizationId: $organizationId, first: 1) { edges { node { action } } }
}`;

/** A WebSocket that was greeted. */
async function aGreeted(): Promise<WebSocket> {
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'connection_init' }));
  await once(socket, 'message');
  return socket;
}

describe('a server that is told to stop by Ctrl-C', () => {
  it('says so, answers open requests, ends streams so that their clients reconnect, and takes nothing new', async () => {
    const body = { username: 'orgadmin@acme.test', password: 'wrong', company_code: 'ACME' };
    const admin = await logIn(server, 'orgadmin@acme.test', 'ACME');
    const { org_id: organizationId } = decodeJwt(admin.access_token)['org'] as { org_id: string };
    const closed = once(await aGreeted(), 'close');
    const login = send(server, 'POST', '/api/v1/login', { body });
    // Once it is in the audit log, it only waits for its delay.
    await until('the refusal to be written down', async () => {
      const { data } = await graphql(server, lastEntry, { organizationId }, admin.headers);
      return data.auditLog.edges[0]?.node.action === 'session.refused';
    });

    const { code } = await server.interrupt();

    expect((await login).status).toBe(401);
    expect((await closed)[0]).toBe(1001);
    expect(code).toBe(0);
    expect(server.printed()).toMatch(/\nstopping…\n(?:\{.*\}\n)*stopped\n$/);
    await expect(send(server, 'GET', '/health/live')).rejects.toThrow('fetch failed');
  });
});
