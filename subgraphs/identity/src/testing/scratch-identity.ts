import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openDatabase, type PrismaClient } from '@foyer/prisma/client';
import { createTestDatabase } from '@foyer/prisma/testing/test-database';
import { systemClock } from '@foyer/shared/clock';
import type { Jobs } from '@foyer/shared/jobs/jobs';
import { openLog } from '@foyer/shared/telemetry/log';
import { openEvents } from '@foyer/shared/events/events';
import type { RequestScope, SetCookie } from '@foyer/shared/http/request';
import type { Viewer } from '@foyer/shared/auth/viewer';
import { execute, parse } from 'graphql';

import { identityProvider } from '#adapters/identity-provider.ts';
import type { IdentityProvider } from '#ports/identity-provider.ts';
import { createIdentity, type Identity } from '../app.ts';
import { readConfig } from '../config.ts';
import { issueLicense } from '../license/license.ts';
import { startIdentityProvider } from '../simulators/identity-provider.ts';

export const password = 'Foyer-demo-1';

const pem = (key: KeyObject, type: 'pkcs8' | 'spki') => key.export({ type, format: 'pem' }).toString();

let keyOfTokens: string | undefined;
/** One for all that this process opens: to make it takes longer than to open identity. */
const tokenKey = () => (keyOfTokens ??= pem(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey, 'pkcs8'));

/** What a document was answered with. */
export interface Answer {
  data: Record<string, unknown> | null;
  error: Record<string, unknown> | undefined;
  message: string | undefined;
  cookies: SetCookie[];
}

interface Asked {
  /** An access token. */
  token?: string | undefined;
  /** Who asks, instead of a token: as if the edge had verified one. */
  viewer?: Viewer;
  /** Another instance than the first. */
  house?: Identity;
}

interface AskedJob {
  name: string;
  data: object;
}

export interface Tokens {
  accessToken: string;
  refreshToken: string;
}

/** Identity on a real database and the embedded provider, for the length of a test; without an edge in front. */
export interface ScratchIdentity {
  db: PrismaClient;
  /** Every statement that was sent to it. */
  queries: string[];
  /** The embedded provider, by the adapter that the house uses. */
  provider: IdentityProvider;
  /** Where it is. */
  providerUrl: string;
  identity: Identity;
  /** Another instance on the same database, as a second process would be; with a provider of its own by `IDP_URL`. */
  open(changes?: NodeJS.ProcessEnv): Promise<Identity>;
  /** Asks as the edge would. */
  ask(document: string, variables?: Record<string, unknown>, asked?: Asked): Promise<Answer>;
  /** Does the work of one kind that was asked for since the last time, and forgets the rest. */
  work(job: string): Promise<void>;
  login(
    username: string,
    companyCode: string | null,
    changes?: Record<string, unknown>,
    asked?: Asked,
  ): Promise<Answer>;
  signedIn(username: string, companyCode: string): Promise<Tokens>;
  refresh(refreshToken: string | undefined, clientType?: string | null): Promise<Answer>;
  stop(): Promise<void>;
}

const loginMutation = `mutation ($input: LoginInput!) {
  login(input: $input) { user { email name } accessToken refreshToken expiresIn passwordChangeRequired }
}`;
const refreshMutation = `mutation ($input: RefreshInput!) { refresh(input: $input) { accessToken refreshToken expiresIn } }`;

export async function startScratchIdentity(): Promise<ScratchIdentity> {
  const folder = await mkdtemp(join(tmpdir(), 'foyer-identity-'));
  const platform = { name: 'Foyer', admin: { username: 'admin@foyer.test', password } };
  const [database, provider] = await Promise.all([
    createTestDatabase(),
    startIdentityProvider({ folder: join(folder, 'provider'), platform }),
  ]);
  const queries: string[] = [];
  const db = openDatabase(database.url, { onQuery: (sql) => queries.push(sql) });
  const log = openLog('silent');
  const events = openEvents({ databaseUrl: database.url, log });
  const env = await environment({ IDP_URL: provider.url, IDP_PAT_FILE: provider.tokenFile });
  const directory = identityProvider({ ...readConfig(env).identityProvider, log });
  const asked: AskedJob[] = [];
  const jobs: Jobs = { enqueue: async ({ name }, data) => void asked.push({ name, data }) };
  const open = (changes: NodeJS.ProcessEnv = {}) => {
    const outside = {
      db,
      jobs,
      clock: systemClock,
      log,
      events,
      customerStandingOf: async () => 'good' as const,
    };
    const config = readConfig({ ...env, ...changes });
    const own = changes['IDP_URL'] ? identityProvider({ ...config.identityProvider, log }) : directory;
    return createIdentity({ ...outside, identityProvider: own, config });
  };
  const identity = await open();
  await identity.startUp();

  const ask = (document: string, variables: Record<string, unknown> = {}, who: Asked = {}) =>
    askHouse(who.house ?? identity, document, variables, who);
  const login = (
    username: string,
    companyCode: string | null,
    changes: Record<string, unknown> = {},
    asked: Asked = {},
  ) => ask(loginMutation, { input: { username, password, companyCode, platform: 'MOBILE', ...changes } }, asked);

  return {
    db,
    queries,
    provider: directory,
    providerUrl: provider.url,
    identity,
    open,
    ask,
    async work(name) {
      const run = identity.workers.find(({ job }) => job.name === name)?.run;
      const attempt = { id: name, number: 1, last: false, signal: new AbortController().signal };
      for (const { data } of asked.splice(0).filter((job) => job.name === name)) await run?.(data as never, attempt);
    },
    login,
    async signedIn(username, companyCode) {
      const { data, message } = await login(username, companyCode);
      if (!data) throw new Error(message);
      return data['login'] as Tokens;
    },
    refresh: (refreshToken, clientType = 'MOBILE') => ask(refreshMutation, { input: { clientType, refreshToken } }),
    async stop() {
      await identity.stop();
      await events.stop();
      await db.$disconnect();
      await Promise.all([database.drop(), provider.stop()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function environment(provider: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
  const licensing = generateKeyPairSync('ed25519');
  const expiresAt = new Date(Date.now() + 365 * 86_400_000);
  return {
    ...provider,
    AUTH_JWT_PRIVATE_KEY: tokenKey(),
    AUTH_JWT_REFRESH_SECRET: 'a secret for refresh tokens',
    EMAIL_SECRET_KEY: 'a secret for mail servers',
    SMTP_URL: 'smtp://127.0.0.1:1',
    AUTH_BASE_URL: 'https://foyer.example',
    AUTH_COOKIE_DOMAIN: 'foyer.example',
    LOGIN_FLOOR_MS: '0',
    LICENSE_PUBLIC_KEY: pem(licensing.publicKey, 'spki'),
    LICENSE_KEY: await issueLicense(pem(licensing.privateKey, 'pkcs8'), {
      companyCode: 'Platform',
      hostingType: 'cloud',
      expiresAt,
    }),
  };
}

async function askHouse(
  house: Identity,
  document: string,
  variables: Record<string, unknown>,
  asked: Asked,
): Promise<Answer> {
  const authorization = asked.token && `Bearer ${asked.token}`;
  const viewer = asked.viewer ?? (await house.authenticate({ authorization })).viewer;
  const scope: RequestScope = {
    requestId: 'test',
    viewer,
    client: { address: '192.0.2.1', userAgent: 'a browser' },
    signal: new AbortController().signal,
    reply: { cookies: [] },
  };
  const contextValue = house.contextFor(scope);
  const answer = await execute({
    schema: house.schema,
    document: parse(document),
    variableValues: variables,
    contextValue,
  });
  const [error] = answer.errors ?? [];
  return { data: answer.data ?? null, error: error?.extensions, message: error?.message, cookies: scope.reply.cookies };
}
