import { ConfigError } from '@foyer/shared/config/config';
import Fastify from 'fastify';
import { expect, it } from 'vitest';

import { listen } from '../distributed/listen.ts';
import { assertPortIsFree } from './port.ts';

it.each(['203.0.113.9', 'no such host'])('an address that this machine does not have names HOST: %s', async (host) => {
  await expect(assertPortIsFree(4000, host)).rejects.toThrow(`HOST: ${host} is no address of this machine`);
});

it('a process of many that can not listen names PORT or HOST, too, and the upload server its own variables', async () => {
  const holder = Fastify();
  const { port } = new URL(await holder.listen({ port: 0, host: '127.0.0.1' }));
  const start = async (at: { port: number; host: string }) => {
    await using stack = new AsyncDisposableStack();
    return await listen(Fastify(), { ...at, drainMs: 0, shutdownDelayMs: 0 }, stack);
  };
  const taken = { port: Number(port), host: '127.0.0.1' };

  await expect(start(taken)).rejects.toThrow(new ConfigError(`PORT: ${port} is taken by another process`));
  await expect(start({ ...taken, host: 'no such host' })).rejects.toThrow('HOST: no such host is no address');
  await expect(assertPortIsFree(taken.port, taken.host, 'UPLOAD_SERVER_')).rejects.toThrow(
    `UPLOAD_SERVER_PORT: ${port} is taken`,
  );

  await holder.close();
});
