import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, expect, it, vi } from 'vitest';

import { openScratchMedia, operator, type ScratchMedia } from '../testing/scratch-media.ts';

let media: ScratchMedia;
beforeAll(async () => {
  media = await openScratchMedia({}, { works: false });
}, 60_000);
afterAll(() => media.stop());

it('a node answers our own requests, however many clients wait for it through the proxy', async () => {
  let waiting = 0;
  const node = createServer((request, response) => {
    if (request.url === '/api/ping') response.end('{}');
    else waiting += 1;
  }).listen(0, '127.0.0.1');
  await once(node, 'listening');
  const { port } = node.address() as AddressInfo;
  const { id } = await media.db.streamer.create({
    data: { name: 'Busy', host: '127.0.0.1', httpPort: port, apiPort: port },
  });
  const gone = new AbortController();
  const { signal } = gone;
  const clients = Array.from({ length: 20 }, () => fetch(`${media.url}/streamers/${id}/proxy/slow`, { signal }));
  const ended = Promise.allSettled(clients);
  try {
    await vi.waitUntil(() => waiting >= 16, { timeout: 30_000 });
    const ping = await media.ask(
      'mutation ($id: ID!) { pingStreamer(id: $id) { status } }',
      { id: String(id) },
      operator,
    );
    expect(ping.data).toEqual({ pingStreamer: { status: 'online' } });
  } finally {
    gone.abort();
    await ended;
    node.close().closeAllConnections();
  }
});
