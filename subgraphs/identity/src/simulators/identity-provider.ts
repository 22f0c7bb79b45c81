import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { writeWhole } from '@foyer/shared/process/write-whole';

import type { Provider, Switches } from './identity-provider/provider.ts';
import { providerServer } from './identity-provider/server.ts';
import { newId, openState } from './identity-provider/state.ts';
import { addHuman } from './identity-provider/users.ts';

export interface EmbeddedIdentityProvider {
  url: string;
  /** The file with the personal access token of the service user; only its owner may read it. */
  tokenFile: string;
  stop(): Promise<void>;
}

interface Settings extends Partial<Switches> {
  /** The folder that keeps organizations, people and the token; a crash loses nothing. */
  folder: string;
  /** Where it listens; by default for this machine only. */
  host?: string;
  /** Defaults to a free port. */
  port?: number;
  /** What a human creates once in a real provider, before the first start (spec 1, start-up step 0). */
  platform: { name: string; admin: { username: string; password: string } };
  /** `v2` answers like a server before 4.0: REST only, without CreateUser and UpdateUser. */
  version?: 'v4' | 'v2';
}

/**
 * Simulates an identity provider with Zitadel's v2 interfaces, Connect and REST: users, sessions,
 * organizations and password complexity, with its error bodies and ids, argon2id hashes, and, by switch,
 * its tarpit, its lockout and the lag of its searches.
 *
 * Left out: everything else of Zitadel. Passwords are the only factor, the service user may do anything,
 * there are no events, no e-mails, no projections but the lag; sessions don't survive a restart; texts are
 * in English; a person has one login name, the user name; times of the tarpit are approximate.
 */
export async function startIdentityProvider(settings: Settings): Promise<EmbeddedIdentityProvider> {
  const { folder, host = '127.0.0.1', port = 0, platform, version = 'v4' } = settings;
  const { tarpit = false, lockAfter = 0, searchLagMs = 0 } = settings;
  const state = await openState(folder);
  const now = () => new Date();
  const provider: Provider = {
    state,
    now,
    switches: { tarpit, lockAfter, searchLagMs },
    touched: (id) => void (searchLagMs > 0 && state.writtenAt.set(id, now().getTime())),
  };
  const tokenFile = join(folder, 'service-user.pat');
  const token = await keptToken(tokenFile);
  await bootstrap(provider, platform);

  const server = providerServer(provider, { token, version });
  const url = await server.listen({ port, host });
  return { url, tokenFile, stop: () => server.close() };
}

async function keptToken(file: string): Promise<string> {
  if (!existsSync(file)) await writeWhole(file, randomBytes(48).toString('base64url'));
  return (await readFile(file, 'utf8')).trim();
}

/** Creates the platform organization, its administrator, and the machine user of our token. */
async function bootstrap(provider: Provider, { name, admin }: Settings['platform']) {
  const { state, now } = provider;
  if (state.organizations.length > 0) return;
  const organization = { id: newId(), name, createdAt: now().toISOString() };
  await addHuman(provider, organization.id, admin.username, {
    profile: { givenName: 'Platform', familyName: 'Admin' },
    email: { email: admin.username, isVerified: true },
    password: { password: admin.password, changeRequired: false },
  });
  const at = organization.createdAt;
  state.users.push({
    id: newId(),
    organizationId: organization.id,
    username: 'foyer',
    state: 'USER_STATE_ACTIVE',
    createdAt: at,
    changedAt: at,
  });
  state.organizations.push(organization);
  await state.save();
}
