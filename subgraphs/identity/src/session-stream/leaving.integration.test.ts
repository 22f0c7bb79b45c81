import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';

import { systemClock } from '@foyer/shared/clock';
import type { Events } from '@foyer/shared/events/events';
import { openLog } from '@foyer/shared/telemetry/log';
import { fastify } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { openStreams, type OpenStreams } from '../limits/open-streams.ts';
import { startTestIdentity, type TestIdentity } from '../testing/test-identity.ts';
import { sessionStream } from './routes.ts';

const silent: Events = { subscribe: () => () => undefined, stop: () => Promise.resolve() };

let identity: TestIdentity;

beforeAll(async () => {
  identity = await startTestIdentity();
});

afterAll(() => identity.stop());

it('a client that leaves while its token is verified holds no stream', async () => {
  const { accessToken } = await identity.loggedIn('member@acme.test', 'ACME');
  const { authenticate, rights } = identity.subgraph;
  const left = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const limit = openStreams();
  const counts = { opened: 0, closed: 0 };
  const streams: OpenStreams = {
    open(userId) {
      const leave = limit.open(userId);
      counts.opened += 1;
      return () => {
        leave();
        counts.closed += 1;
      };
    },
  };
  const app = fastify();
  app.addHook('onRequest', (_request, response, done) => {
    response.raw.once('close', () => left.resolve());
    done();
  });
  await app.register(
    sessionStream({
      db: identity.db,
      events: silent,
      rights,
      clock: systemClock,
      log: openLog('silent'),
      streams,
      heartbeatMs: 25_000,
      async authenticate(credentials) {
        asked.resolve();
        await left.promise;
        return authenticate(credentials);
      },
    }),
  );
  await app.listen({ port: 0, host: '127.0.0.1' });
  try {
    const client = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
    await once(client, 'connect');
    client.write(
      `GET /api/v1/sessions/stream HTTP/1.1\r\nhost: foyer.test\r\nauthorization: Bearer ${accessToken}\r\n\r\n`,
    );
    await asked.promise;
    client.destroy();

    await expect.poll(() => counts).toEqual({ opened: 1, closed: 1 });
  } finally {
    await app.close();
  }
});
