import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openDatabase, type PrismaClient } from '@foyer/prisma/client';
import { createTestDatabase } from '@foyer/prisma/testing/test-database';
import { systemClock } from '@foyer/shared/clock';
import { openLog } from '@foyer/shared/telemetry/log';
import { afterAll, beforeAll } from 'vitest';

import type { IdentityProvider } from '#ports/identity-provider.ts';
import { identityProvider } from '../adapters/identity-provider.ts';
import { licenseGuard } from '../license/license-guard.ts';
import { startIdentityProvider, type EmbeddedIdentityProvider } from '../simulators/identity-provider.ts';
import type { StartUpNeeds } from '../start-up/needs.ts';
import { startUp } from '../start-up/start-up.ts';

export const log = openLog('silent');

/** The platform as it is configured, unless a test says otherwise. */
export const platform = {
  name: 'Our platform',
  companyCode: 'Home',
  idpOrgName: 'Foyer',
  adminLoginName: 'admin@foyer.test',
};

/** Empty stores, and an identity provider with the organization and the administrator of the platform, for one file. */
export function startUpFixture() {
  let folder: string;
  let provider: EmbeddedIdentityProvider;
  let atProvider: IdentityProvider;
  /** What was opened, in this order. */
  const closing: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'foyer-start-up-'));
    const admin = { username: 'admin@foyer.test', password: 'Foyer-demo-1' };
    provider = await startIdentityProvider({ folder, platform: { name: 'Foyer', admin } });
    const { url, tokenFile } = provider;
    atProvider = identityProvider({ url, tokenFile, wire: 'auto', timeoutMs: 15_000, log });
  });
  afterAll(async () => {
    for (const close of closing.toReversed()) await close();
    await provider.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** Creates an empty store, after steps 1 and 5; each call of the result opens it as another server does. */
  async function aStore(): Promise<() => PrismaClient> {
    const database = await createTestDatabase();
    closing.push(() => database.drop());
    return () => {
      const store = openDatabase(database.url);
      closing.push(() => store.$disconnect());
      return store;
    };
  }
  async function start(db: PrismaClient, changes: Partial<StartUpNeeds['config']> = {}) {
    const guard = licenseGuard({ companyCode: platform.companyCode, clock: systemClock, log });
    const config = { platform, settings: { mailFrom: 'Foyer <no-reply@foyer.test>' }, ...changes };
    await startUp({ db, clock: systemClock, log, identityProvider: atProvider, licenseGuard: guard, config });
    guard.stop();
  }
  return {
    aStore,
    emptyStore: async (): Promise<PrismaClient> => (await aStore())(),
    start,
    /** What the identity provider has. */
    atProvider: (): IdentityProvider => atProvider,
  };
}
