import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startIdentityProvider } from '@foyer/identity/simulators/identity-provider';
import { createTestDatabase } from '@foyer/prisma/testing/test-database';

import { goldenOf } from './server-process.ts';
import { DEMO_PASSWORD } from '../fixtures/people.ts';

/** An identity provider in the process of the test, with the demo accounts, and a database that knows them. */
export interface ProviderFixture {
  url: string;
  tokenFile: string;
  databaseUrl: string;
  /** The variables of a server that uses both. It begins with the other data of a first start. */
  env: { DATABASE_URL: string; IDP_URL: string; IDP_PAT_FILE: string };
  stop(): Promise<void>;
}

export async function startProviderFixture(): Promise<ProviderFixture> {
  const folder = await mkdtemp(join(tmpdir(), 'foyer-provider-'));
  await cp(join(await goldenOf('single'), 'identity-provider'), folder, { recursive: true });
  const admin = { username: 'admin@foyer.test', password: DEMO_PASSWORD };
  const [database, { url, tokenFile, stop }] = await Promise.all([
    createTestDatabase('seeds'),
    startIdentityProvider({ folder, platform: { name: 'Foyer', admin } }),
  ]);
  return {
    url,
    tokenFile,
    databaseUrl: database.url,
    env: { DATABASE_URL: database.url, IDP_URL: url, IDP_PAT_FILE: tokenFile },
    async stop() {
      await Promise.all([stop(), database.drop()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
