import { openLog } from '@foyer/shared/telemetry/log';
import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';

import { createRestCompat } from '../app.ts';
import { readConfig } from '../config.ts';

/** The cookie that remembers the language of the login app. */
async function languageCookie(env: NodeJS.ProcessEnv): Promise<string> {
  const app = Fastify();
  await app.register(
    createRestCompat({
      execute: async () => ({ data: {} }),
      countRequest: async () => undefined,
      authenticate: async () => ({ viewer: null, by: 'nothing' }),
      config: readConfig({ REST_AUTH: 'strict', PUBLIC_URL: 'https://foyer.example', ...env }),
      log: openLog('silent'),
    }),
  );
  const { headers } = await app.inject('/login?lang=bm');
  await app.close();
  return String(headers['set-cookie']);
}

describe('the chosen language', () => {
  it('is stored in a cookie that the shop can read, too, and that is Secure in production', async () => {
    expect(await languageCookie({ NODE_ENV: 'production' })).toMatch(
      /^foyer_language=bm; .*Path=\/; Secure; SameSite=Lax/,
    );
    expect(await languageCookie({ NODE_ENV: 'development' })).not.toContain('Secure');
  });
});
