import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openDatabase, type PrismaClient } from '@foyer/prisma/client';
import { createTestDatabase } from '@foyer/prisma/testing/test-database';
import { systemClock } from '@foyer/shared/clock';
import type { Jobs } from '@foyer/shared/jobs/jobs';
import { openLog } from '@foyer/shared/telemetry/log';
import { openEvents } from '@foyer/shared/events/open-events';
import type { RequestScope, SetCookie } from '@foyer/shared/http/request';
import type { Viewer } from '@foyer/shared/auth/viewer';
import { execute as executeGraphql, parse } from 'graphql';

import { identityProvider } from '#adapters/identity-provider.ts';
import type { IdentityProvider } from '#ports/identity-provider.ts';
import { createIdentity, type Identity } from '../app.ts';
import { readConfig } from '../config.ts';
import { issueLicense } from '../license/license.ts';
import { startIdentityProvider } from '../simulators/identity-provider.ts';

export const password = 'Foyer-demo-1';

const pem = (key: KeyObject, type: 'pkcs8' | 'spki') => key.export({ type, format: 'pem' }).toString();

let keyOfTokens: string | undefined;
/** One key for all instances of this process: generating it takes longer than opening identity. */
const tokenKey = () => (keyOfTokens ??= pem(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey, 'pkcs8'));

/** The answer to a document. */
export interface Answer {
  data: Record<string, unknown> | null;
  error: Record<string, unknown> | undefined;
  message: string | undefined;
  cookies: SetCookie[];
}

interface AskOptions {
  /** An access token. */
  token?: string | undefined;
  /** The viewer, instead of a token: as if the gateway had verified one. */
  viewer?: Viewer;
  /** The instance to call, instead of the first. */
  instance?: Identity;
}

interface EnqueuedJob {
  name: string;
  data: object;
}

export interface Tokens {
  accessToken: string;
  refreshToken: string;
}

/** Identity on a real database and the embedded provider, for one test file; without a gateway in front. */
export interface TestIdentity {
  db: PrismaClient;
  /** Every statement sent to the database. */
  queries: string[];
  /** The embedded provider, over the adapter that identity uses. */
  provider: IdentityProvider;
  providerUrl: string;
  /** The first instance. */
  subgraph: Identity;
  /** Opens another instance on the same database, like a second process; `IDP_URL` gives it a provider of its own. */
  open(changes?: NodeJS.ProcessEnv): Promise<Identity>;
  /** Executes a document as the gateway would. */
  ask(document: string, variables?: Record<string, unknown>, options?: AskOptions): Promise<Answer>;
  /** Runs the jobs of one name that were enqueued since the last call, and drops all others. */
  work(job: string): Promise<void>;
  login(
    username: string,
    companyCode: string | null,
    changes?: Record<string, unknown>,
    options?: AskOptions,
  ): Promise<Answer>;
  loggedIn(username: string, companyCode: string): Promise<Tokens>;
  refresh(refreshToken: string | undefined, clientType?: string | null): Promise<Answer>;
  stop(): Promise<void>;
}

const loginMutation = `mutation ($input: LoginInput!) {
  login(input: $input) { user { email name } accessToken refreshToken expiresIn passwordChangeRequired }
}`;
const refreshMutation = `mutation ($input: RefreshInput!) { refresh(input: $input) { accessToken refreshToken expiresIn } }`;

export async function startTestIdentity(): Promise<TestIdentity> {
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
  const enqueued: EnqueuedJob[] = [];
  const jobs: Jobs = {
    enqueue: async ({ name }, data) => void enqueued.push({ name, data }),
    enqueueAll: async ({ name }, all) => void enqueued.push(...all.map((data) => ({ name, data }))),
    prioritize: async () => undefined,
    isWaiting: async () => false,
    waitingWith: async () => [],
  };
  const open = (changes: NodeJS.ProcessEnv = {}) => {
    const options = {
      db,
      jobs,
      clock: systemClock,
      log,
      events,
      customerStandingOf: async () => 'good' as const,
    };
    const config = readConfig({ ...env, ...changes });
    const own = changes['IDP_URL'] ? identityProvider({ ...config.identityProvider, log }) : directory;
    return createIdentity({ ...options, identityProvider: own, config });
  };
  const subgraph = await open();
  await subgraph.startUp();

  const ask = (document: string, variables: Record<string, unknown> = {}, options: AskOptions = {}) =>
    execute(options.instance ?? subgraph, document, variables, options);
  const login = (
    username: string,
    companyCode: string | null,
    changes: Record<string, unknown> = {},
    options: AskOptions = {},
  ) => ask(loginMutation, { input: { username, password, companyCode, platform: 'MOBILE', ...changes } }, options);

  return {
    db,
    queries,
    provider: directory,
    providerUrl: provider.url,
    subgraph,
    open,
    ask,
    async work(name) {
      const run = subgraph.workers.find(({ job }) => job.name === name)?.run;
      const attempt = { id: name, number: 1, last: false, signal: new AbortController().signal };
      for (const { data } of enqueued.splice(0).filter((job) => job.name === name)) await run?.(data as never, attempt);
    },
    login,
    async loggedIn(username, companyCode) {
      const { data, message } = await login(username, companyCode);
      if (!data) throw new Error(message);
      return data['login'] as Tokens;
    },
    refresh: (refreshToken, clientType = 'MOBILE') => ask(refreshMutation, { input: { clientType, refreshToken } }),
    async stop() {
      await subgraph.stop();
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

async function execute(
  subgraph: Identity,
  document: string,
  variables: Record<string, unknown>,
  options: AskOptions,
): Promise<Answer> {
  const authorization = options.token && `Bearer ${options.token}`;
  const viewer = options.viewer ?? (await subgraph.authenticate({ authorization })).viewer;
  const scope: RequestScope = {
    requestId: 'test',
    viewer,
    client: { address: '192.0.2.1', userAgent: 'a browser' },
    signal: new AbortController().signal,
    reply: { cookies: [] },
  };
  const contextValue = subgraph.contextFor(scope);
  const answer = await executeGraphql({
    schema: subgraph.schema,
    document: parse(document),
    variableValues: variables,
    contextValue,
  });
  const [error] = answer.errors ?? [];
  return { data: answer.data ?? null, error: error?.extensions, message: error?.message, cookies: scope.reply.cookies };
}
