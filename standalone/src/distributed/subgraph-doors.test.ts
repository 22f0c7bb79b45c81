import Fastify from 'fastify';
import { expect, it } from 'vitest';

import { passOn } from './subgraph-doors.ts';

it('passes nothing on that a stranger says about where a request comes from, or who asks', async () => {
  const behind = Fastify();
  behind.get('/pdf/receipt', async ({ headers }) => headers);
  const gateway = Fastify();
  await gateway.register(passOn(await behind.listen({ port: 0, host: '127.0.0.1' }), [['GET', '/pdf/receipt']]));

  const response = await gateway.inject({
    url: '/pdf/receipt',
    headers: {
      host: 'tickets.test',
      accept: 'application/pdf',
      forwarded: 'for=192.0.2.1;host=evil.test',
      'x-forwarded-for': '192.0.2.1',
      'x-forwarded-host': 'evil.test',
      'x-real-ip': '192.0.2.1',
      'foyer-viewer': 'an administrator',
    },
  });

  const seen = response.json<Record<string, string>>();
  expect(seen).toMatchObject({ host: 'tickets.test', accept: 'application/pdf', 'x-forwarded-for': '127.0.0.1' });
  for (const claim of ['forwarded', 'x-forwarded-host', 'x-real-ip', 'foyer-viewer']) {
    expect(seen).not.toHaveProperty(claim);
  }
  await gateway.close();
  await behind.close();
});
