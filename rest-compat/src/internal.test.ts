import { answerErrors } from '@foyer/shared/http/error-body';
import { openLog } from '@foyer/shared/telemetry/log';
import Fastify from 'fastify';
import { expect, it } from 'vitest';

import { readConfig } from './config.ts';
import type { Edge } from './route.ts';
import { routes } from './routes.ts';

const internal = routes.filter(({ url }) => url.startsWith('/api/v1/internal/'));

it('every call between services is refused with 503 when their token is unset', async () => {
  const config = readConfig({ PUBLIC_URL: 'https://foyer.example', INTERNAL_PSK: '' });
  const app = Fastify();
  answerErrors(app, openLog('silent'));
  for (const route of internal) route.mount(app, { config } as Edge);

  for (const { method, url } of internal)
    for (const headers of [{}, { 'x-internal-token': '' }, { 'x-internal-token': 'undefined' }]) {
      const { statusCode } = await app.inject({ method: method as 'GET', url, headers });
      expect([method, url, statusCode]).toEqual([method, url, 503]);
    }
  expect(internal.length).toBeGreaterThan(10);
});
