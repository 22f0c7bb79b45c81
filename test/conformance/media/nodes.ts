import { expect } from 'vitest';

import { open } from '../framework/open-route.ts';
import { fieldsOf, perServer } from '../framework/per-server.ts';
import { holds, type Check, type Rows } from '../framework/row.ts';
import type { Headers, Server } from '../framework/server.ts';
import { isCount, text, timestamp } from '../framework/shapes.ts';
import { asOperator, nodeBody, operator, registered, startNode } from './node.ts';

/** Sends a request to a route of nodes, by default as a legacy client. */
const send = async (server: Server, method: string, path: string, sent: { headers?: Headers; body?: unknown } = {}) =>
  server.send(method, path, { headers: await asOperator(server), ...sent });

/** A streamer that was registered, and then pinged. */
const streamer = perServer(async (server) => {
  const node = await registered(server);
  const pinged = await send(server, 'POST', `/streamers/${node.id}/ping`);
  const { json } = await send(server, 'GET', `/streamers/${node.id}`);
  return { node, pinged, read: json.data };
});

/** Registered, pinged, reached, changed and removed. */
const lives =
  (...prefixes: string[]): Check =>
  async (server) => {
    for (const prefix of prefixes) {
      const node = await registered(server, prefix);
      const path = `${prefix}/${node.id}`;
      expect(node.answered.data.status).toBe('unknown');
      expect((await send(server, 'POST', `${path}/ping`)).json.data.status).toBe('online');
      expect((await send(server, 'GET', `${path}/proxy/teapot`)).text).toContain('tea for GET /teapot');
      expect((await send(server, 'PUT', path, { body: { name: 'Renamed' } })).json.data.name).toBe('Renamed');
      expect((await send(server, 'GET', prefix)).status).toBe(200);
      expect((await send(server, 'DELETE', path)).status).toBe(200);
      expect((await send(server, 'GET', path)).status).toBe(404);
    }
  };

/** "Streamer node", its states, and what the service does with nodes. */
export const nodeFields: Rows = {
  'media-service-3-nodes': holds(lives('/streamers')),
  'media-service-3-caches-and-load-balancers': holds(lives('/caches', '/load-balancers')),

  ...fieldsOf(streamer, {
    'media-streamer-fields': ({ read, node }) => {
      expect(read).toMatchObject({ ...nodeBody(node), status: text, lastPingedAt: timestamp });
      expect([read.id, isCount(read.id)]).toEqual([node.id, true]);
    },
    'media-streamer-status-new-to-unknown': ({ node }) =>
      expect(node.answered.data).toMatchObject({ status: 'unknown', lastPingedAt: null }),
    'media-streamer-status-any-to-online': ({ pinged, read }) =>
      expect([pinged.json.data.status, read.status, read.lastPingedAt]).toEqual(['online', 'online', timestamp]),
  }),
};

/** "Streamer nodes (prefix /streamers)". */
export const nodeRoutes: Rows = {
  'media-streamer-routes-post-streamers': open(
    async (server, headers) => {
      const body = nodeBody(await startNode(server), 'Streamer');
      return server.send('POST', '/streamers', { headers, body });
    },
    ({ status, json }) => expect([status, isCount(json.data.id), json.data.status]).toEqual([201, true, 'unknown']),
    operator,
  ),

  'media-streamer-routes-post-streamers-id-ping': open(
    async (server, headers) => {
      const node = await registered(server);
      const answer = await server.send('POST', `/streamers/${node.id}/ping`, { headers });
      const pings = node.requests.filter(({ method, path }) => method === 'GET' && path === '/api/ping');
      expect(pings.length > 0).toBe(answer.status === 200);
      return answer;
    },
    ({ status, json }) => expect([status, json.data]).toEqual([200, { status: 'online', pingedAt: timestamp }]),
    operator,
  ),

  'media-streamer-routes-proxy': open(
    async (server, headers) => {
      const { id } = await registered(server);
      return server.send('PATCH', `/streamers/${id}/proxy/teapot/a%2Fb?x=%20+1`, { headers, body: { any: 'thing' } });
    },
    async ({ status, text: said }, server) => {
      expect([status, said]).toEqual([418, 'tea for PATCH /teapot/a%2Fb?x=%20+1 {"any":"thing"}']);
      const { id } = await registered(server);
      const sent = { headers: await asOperator(server) };
      for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PURGE', 'PROPFIND', 'REPORT', 'M-SEARCH']) {
        const answer = await server.send(method, `/streamers/${id}/proxy/teapot/${method}`, sent);
        expect([answer.status, answer.text]).toEqual([418, `tea for ${method} /teapot/${method} `]);
        expect(answer.headers.get('content-type')).toBe('text/x-tea');
      }
      expect((await server.send('GET', `/streamers/${id}/proxy/teapot/%ff`, sent)).status).toBe(400);
      if (server.mode === 'strict') return;
      const headers = await server.legacy('ADMIN');
      expect((await server.send('GET', `/streamers/${id}/proxy/teapot`, { headers })).status).toBe(418);
    },
    operator,
  ),

  'media-streamer-routes-update-takes-effect': holds(async (server) => {
    const [old, young] = [await registered(server), await startNode(server)];
    const path = `/streamers/${old.id}`;
    await send(server, 'GET', `${path}/proxy/teapot/one`);
    const { status } = await send(server, 'PUT', path, { body: { host: 'localhost', apiPort: young.port } });
    await send(server, 'GET', `${path}/proxy/teapot/two`);
    expect([status, old.requests.map((ask) => ask.path), young.requests.map((ask) => ask.path)]).toEqual([
      200,
      ['/teapot/one'],
      ['/teapot/two'],
    ]);
  }),

  'media-streamer-routes-others-exist': holds(lives('/streamers', '/caches', '/load-balancers')),

  'media-streamer-routes-envelope': holds(async (server) => {
    const { id } = await registered(server);
    for (const [method, path, body] of [
      ['GET', '/streamers', undefined],
      ['GET', `/streamers/${id}`, undefined],
      ['PUT', `/streamers/${id}`, { name: 'Renamed' }],
      ['POST', `/streamers/${id}/ping`, undefined],
      ['DELETE', `/streamers/${id}`, undefined],
    ] as const) {
      const { json } = await send(server, method, path, { ...(body && { body }) });
      expect([method, path, json]).toEqual([method, path, expect.objectContaining({ success: true })]);
      expect(json).toHaveProperty('data');
    }
  }),
};
