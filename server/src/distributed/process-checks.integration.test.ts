import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { expect, it } from 'vitest';

import { anyOf, processCheck } from './process-checks.ts';

it.each([
  [200, true],
  [503, false],
])(
  'a process that answers %i is healthy: %o; its body is not awaited, and its connection is closed',
  async (status, ok) => {
    const server = createServer((_request, response) => response.writeHead(status).write('{'));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const connected = once(server, 'connection');
    expect(await processCheck(`http://127.0.0.1:${port}`)()).toBe(ok);
    const [connection] = (await connected) as [NodeJS.EventEmitter];
    await once(connection, 'close', { signal: AbortSignal.timeout(1_000) });
    server.close();
  },
);

it('of several processes one is enough, though others fail or hang', async () => {
  const failing = () => Promise.reject(new Error('away'));
  const hanging = () => new Promise<boolean>(() => undefined);
  const [ready, unready] = [async () => true, async () => false];
  await expect(anyOf([failing, unready, hanging, ready])()).resolves.toBeUndefined();
  await expect(anyOf([failing, unready])()).rejects.toThrow();
});
