import { readConfig as readIdentityConfig } from '@foyer/identity/config';
import { ConfigError, flag, setVariablesOf } from '@foyer/shared/config/config';
import { readConfig as readTicketingConfig } from '@foyer/ticketing/config';

import { readConfig } from '../../config.ts';
import { holderOf } from '../../data-dir/data-dir.ts';
import { roleOf } from '../../distributed/roles.ts';
import { checkConfiguration, checkLicense, checkSecretsFile } from '../doctor/configuration.ts';
import { checkDatabase } from '../doctor/database.ts';
import { failed, reasonOf, skipped, type Check, type Finding } from '../doctor/finding.ts';
import { checkCookieDomain, checkPort, checkPublicUrl } from '../doctor/addresses.ts';
import { checksOfProcess } from '../doctor/processes.ts';
import { checkRedis } from '../doctor/redis.ts';
import { checkIdentityProvider, checkMail, checkPaymentGateway } from '../doctor/services.ts';
import { checkDisk, checkReceipts, checkStore } from '../doctor/store.ts';
import { checkStreamers } from '../doctor/streamers.ts';
import { checkTools } from '../doctor/tools.ts';
import { wasOpened, withInstallation, type Installation } from '../operator/installation.ts';
import type { Terminal } from '../operator/terminal.ts';

const services = ['database', 'identityProvider', 'paymentGateway', 'mail'] as const;
const mark = { ok: 'ok', warning: 'warning', failed: 'FAILED', skipped: 'skipped' } as const;

/** `foyer doctor`: checks the configuration and every external service, and says how to repair what is wrong. */
export async function doctor(terminal: Terminal): Promise<boolean> {
  const findings = await examine(terminal).catch((error: unknown) => [unreachable(error)]);
  const bad = findings.filter(({ state }) => state === 'failed').length;
  const width = Math.max(...findings.map(({ part }) => part.length));
  const lines = findings.map(({ state, part, found, cure }) => {
    const line = `${mark[state].padEnd(8)} ${part.padEnd(width)}  ${found}`;
    return cure ? `${line}\n${' '.repeat(width + 11)}→ ${cure}` : line;
  });
  const verdict = bad === 0 ? 'nothing is broken' : `${bad} broken`;
  terminal.say({ healthy: bad === 0, findings }, [...lines, verdict].join('\n'));
  return bad === 0;
}

/** Reports a variable that can't be used, or an embedded service that doesn't start, like any other finding. */
const unreachable = (error: unknown): Finding =>
  error instanceof ConfigError
    ? failed('configuration', reasonOf(error), 'set that variable: docs/operations.md says how')
    : failed(
        'embedded services',
        `they do not start: ${reasonOf(error)}`,
        'check free space and permissions of DATA_DIR',
      );

async function examine(terminal: Terminal): Promise<Finding[]> {
  const env = setVariablesOf(terminal.env);
  const role = roleOf(env);
  return role ? runChecks(terminal, checksOfProcess(role, env)) : examineInstallation(terminal);
}

async function examineInstallation(terminal: Terminal): Promise<Finding[]> {
  const config = readConfig(terminal.env);
  const isNew = !config.production && !wasOpened(config) && !(await holderOf(config.dataDir));
  const check = async (installation: Installation) =>
    runChecks(terminal, [
      ...checksOfMachine(installation),
      ...(isNew ? checksBeforeFirstStart(installation) : checksOfServices(installation)),
    ]);
  return withInstallation(terminal.env, isNew ? [] : services, check, { checked: false });
}

async function runChecks(terminal: Terminal, checks: readonly Check[]): Promise<Finding[]> {
  const progress = terminal.progress('checks');
  let done = 0;
  const found = await Promise.all(
    checks.map(async ([part, check]) => {
      const findings = await Promise.resolve()
        .then(check)
        .catch((error: unknown) => [findingOf(part, error)]);
      progress.to((done += 1), checks.length);
      return findings;
    }),
  );
  progress.end();
  return found.flat();
}

/** Reports a check that threw: skipped for a variable that another finding names, else failed. */
const findingOf = (part: string, error: unknown): Finding =>
  error instanceof ConfigError
    ? skipped(part, `not checked: ${reasonOf(error)}`)
    : failed(part, reasonOf(error), 'see the log of the server');

const checksOfMachine = (installation: Installation): Check[] => [
  ['port', () => checkPort(installation)],
  ['PUBLIC_URL', () => checkPublicUrl(installation, flag.safeParse(installation.env['AUTH_COOKIE_SECURE']).data)],
  [
    'AUTH_COOKIE_DOMAIN',
    () => checkCookieDomain(installation.config.publicUrl, installation.env['AUTH_COOKIE_DOMAIN']),
  ],
  ['Redis', () => (installation.config.redisUrl ? checkRedis(installation.config.redisUrl) : [])],
  ['disk', () => checkDisk(installation.env['MEDIA_DIR'] ?? installation.config.dataDir)],
  ['secrets file', () => checkSecretsFile(installation.config.dataDir)],
  ['ffmpeg', () => checkTools(installation.env)],
];

const checksOfServices = ({ env, process, config }: Installation): Check[] => [
  ['configuration', () => checkConfiguration(env)],
  ['license', () => checkLicense(env)],
  ['PostgreSQL', () => checkDatabase(env['DATABASE_URL'] ?? '')],
  ['identity provider', () => checkIdentityProvider(readIdentityConfig(env))],
  ['payment gateway', () => checkPaymentGateway(env)],
  ['mail', () => checkMail(readTicketingConfig(env).smtpUrl)],
  ['media store', () => checkStore(env)],
  ['printed receipts', () => checkReceipts(env)],
  ['streamers', () => checkStreamers(env, { isStopped: !process && !config.production })],
];

/** Before the first start, only what is configured can be checked: it generates the rest. */
const checksBeforeFirstStart = ({ env }: Installation): Check[] => [
  ['embedded services', () => skipped('embedded services', 'no server has run here yet: its first start creates them')],
  ...(env['DATABASE_URL'] ? [['PostgreSQL', () => checkDatabase(env['DATABASE_URL'] ?? '')] satisfies Check] : []),
];
