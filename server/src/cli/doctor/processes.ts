import { readConfig as readUploadServerConfig } from '@foyer/media/upload-server/config';
import { readConfig as readIdentityConfig, readCustomerDirectoryConfig } from '@foyer/identity/config';
import { readConfig as readTicketingConfig } from '@foyer/ticketing/config';

import { readGatewayProcessConfig, readSubgraphProcessConfig } from '../../distributed/config.ts';
import { assertConfigured, type Role } from '../../distributed/roles.ts';
import { checkPort, checkPublicUrl } from './addresses.ts';
import { checkLicense } from './configuration.ts';
import { checkDatabase } from './database.ts';
import { failed, ok, reasonOf, skipped, TIMEOUT_MS, type Check, type Finding } from './finding.ts';
import { checkRedis } from './redis.ts';
import { checkIdentityProvider, checkMail, checkPaymentGateway } from './services.ts';
import { checkDisk, checkReceipts, checkStore } from './store.ts';
import { checkStreamers } from './streamers.ts';

/**
 * The checks of one process of the distributed layout, by the variables that it has: what it does not use can't be checked
 * there, and is not missing.
 */
export const checksOfProcess = (role: Exclude<Role, 'worker'>, env: NodeJS.ProcessEnv): Check[] => [
  ['configuration', () => checkConfigured(role, env)],
  ...own[role](env),
  ['others', () => skipped('others', `the ${role} process has the variables of what it uses only: the worker has all`)],
];

type OwnChecks = (env: NodeJS.ProcessEnv) => Check[];

const port = (config: () => { port: number; host: string }): Check => [
  'port',
  () => checkPort({ config: config(), process: undefined }),
];
const redis = ({ REDIS_URL }: NodeJS.ProcessEnv): Check[] =>
  REDIS_URL ? [['Redis', () => checkRedis(REDIS_URL)]] : [];

/** What every subgraph has. */
const ofSubgraph: OwnChecks = (env) => [
  port(() => readSubgraphProcessConfig(env)),
  ...redis(env),
  ['PostgreSQL', () => checkDatabase(env['DATABASE_URL'] ?? '')],
];

const own: Readonly<Record<Exclude<Role, 'worker'>, OwnChecks>> = {
  gateway: (env) => [
    port(() => readGatewayProcessConfig(env)),
    ['PUBLIC_URL', () => checkPublicUrl({ config: readGatewayProcessConfig(env), process: undefined })],
    ...redis(env),
    ['processes', () => checkProcesses(env)],
  ],
  identity: (env) => [
    ...ofSubgraph(env),
    ['license', () => checkLicense(env)],
    ['identity provider', () => checkIdentityProvider(readIdentityConfig(env))],
    ['mail', () => checkMail(readIdentityConfig(env).mailer.url)],
  ],
  ticketing: (env) => [
    ...ofSubgraph(env),
    ['identity provider', () => checkIdentityProvider(readCustomerDirectoryConfig(env))],
    ['payment gateway', () => checkPaymentGateway(env)],
    ['mail', () => checkMail(readTicketingConfig(env).smtpUrl)],
    ['printed receipts', () => checkReceipts(env)],
  ],
  media: (env) => [
    ...ofSubgraph(env),
    ['media store', () => checkStore(env)],
    ['streamers', () => checkStreamers(env, { isStopped: false })],
  ],
  upload: (env) => [
    port(() => readUploadServerConfig(env)),
    ['PostgreSQL', () => checkDatabase(env['DATABASE_URL'] ?? '')],
    ['media store', () => checkStore(env)],
    ['media', () => checkProcess('media', readUploadServerConfig(env).hookUrl.origin, 'HOOK_URL')],
    ['disk', () => checkDisk(env['MEDIA_DIR'] ?? '.')],
  ],
};

function checkConfigured(role: Role, env: NodeJS.ProcessEnv): Finding[] {
  const part = `configuration of ${role}`;
  try {
    assertConfigured(role, env);
    return [ok(part, 'every variable and secret can be used')];
  } catch (error) {
    return [failed(part, reasonOf(error), 'set that variable: docs/operations.md says how')];
  }
}

async function checkProcesses(env: NodeJS.ProcessEnv): Promise<Finding[]> {
  const { subgraphs, uploadServer } = readGatewayProcessConfig(env);
  return Promise.all([
    ...Object.entries(subgraphs).map(([name, url]) => checkProcess(name, url, `${name.toUpperCase()}_URL`)),
    ...(uploadServer === subgraphs.media ? [] : [checkProcess('upload server', uploadServer, 'UPLOAD_SERVER_URL')]),
  ]);
}

/** Checks that a process which this one asks is ready. */
async function checkProcess(name: string, url: string, variable: string): Promise<Finding> {
  const address = new URL('/health/ready', url);
  try {
    const { status } = await fetch(address, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
    const cure = `GET ${address.href} says which check fails; the log of that process says why`;
    return status === 200 ? ok(name, `is ready at ${url}`) : failed(name, `answers ${status} at ${url}`, cure);
  } catch (error) {
    return failed(name, `no answer from ${url}: ${reasonOf(error)}`, `start it, or mend ${variable}`);
  }
}
