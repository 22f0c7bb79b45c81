import { ConfigError } from '@foyer/shared/config/config';

import { readConfig } from '../../config.ts';
import { holderOf } from '../../data-dir.ts';
import { checkConfiguration, checkLicense, checkSecretsFile } from '../doctor/configuration.ts';
import { checkDatabase } from '../doctor/database.ts';
import { failed, reasonOf, skipped, type Finding } from '../doctor/finding.ts';
import { checkPort, checkPublicUrl } from '../doctor/place.ts';
import { checkRedis } from '../doctor/redis.ts';
import { checkIdentityProvider, checkMail, checkPaymentGateway } from '../doctor/services.ts';
import { checkDisk, checkStore } from '../doctor/store.ts';
import { checkStreamers } from '../doctor/streamers.ts';
import { checkTools } from '../doctor/tools.ts';
import { wasOpened, withHouse, type Reached } from '../reach.ts';
import type { Terminal } from '../terminal.ts';

const parts = ['database', 'identityProvider', 'paymentGateway', 'mail'] as const;
const mark = { ok: 'ok', warning: 'warning', failed: 'FAILED', skipped: 'skipped' } as const;

/** `foyer doctor`: looks at everything the house stands on, and says what to do about what is wrong. */
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

/** Also a variable that can't be used, or a part that doesn't start, is something to be told. */
const unreachable = (error: unknown): Finding =>
  error instanceof ConfigError
    ? failed('configuration', error.message, 'set that variable: docs/operations.md says how')
    : failed('embedded parts', `they do not start: ${reasonOf(error)}`, 'look for room and rights in DATA_DIR');

async function examine(terminal: Terminal): Promise<Finding[]> {
  const config = readConfig(terminal.env);
  const isNew = !config.production && !wasOpened(config) && !(await holderOf(config.dataDir));
  return withHouse(terminal.env, isNew ? [] : parts, async (reached) => {
    const checks = [...checksOfPlace(reached), ...(isNew ? checksOfGiven(reached) : checksOfHouse(reached))];
    const progress = terminal.progress('checks');
    let done = 0;
    const found = await Promise.all(
      checks.map(async ([part, check]) => {
        const findings = await Promise.resolve()
          .then(check)
          .catch((error: unknown) => [becauseOf(part, error)]);
        progress.to((done += 1), checks.length);
        return findings;
      }),
    );
    progress.end();
    return found.flat();
  });
}

/** A check that can't even begin, for a variable that another line has named. */
const becauseOf = (part: string, error: unknown): Finding =>
  error instanceof ConfigError
    ? skipped(part, `not looked at: ${error.message}`)
    : failed(part, reasonOf(error), 'see the log of the house');

type Check = [part: string, check: () => Finding | Finding[] | Promise<Finding | Finding[]>];

const checksOfPlace = (reached: Reached): Check[] => [
  ['port', () => checkPort(reached)],
  ['PUBLIC_URL', () => checkPublicUrl(reached)],
  ['Redis', () => (reached.config.redisUrl ? checkRedis(reached.config.redisUrl) : [])],
  ['disk', () => checkDisk(reached.env['MEDIA_DIR'] ?? reached.config.dataDir)],
  ['secrets file', () => checkSecretsFile(reached.config.dataDir)],
  ['ffmpeg', () => checkTools(reached.env)],
];

const checksOfHouse = ({ env, process, config }: Reached): Check[] => [
  ['configuration', () => checkConfiguration(env)],
  ['license', () => checkLicense(env)],
  ['PostgreSQL', () => checkDatabase(env['DATABASE_URL'] ?? '')],
  ['identity provider', () => checkIdentityProvider(env)],
  ['payment gateway', () => checkPaymentGateway(env)],
  ['mail', () => checkMail(env)],
  ['media store', () => checkStore(env)],
  ['streamers', () => checkStreamers(env, { isStopped: !process && !config.production })],
];

/** Of a house that was never opened only what is given can be looked at: the rest is made at the first start. */
const checksOfGiven = ({ env }: Reached): Check[] => [
  ['embedded parts', () => skipped('embedded parts', 'this house was never opened: they are made at the first start')],
  ...(env['DATABASE_URL'] ? [['PostgreSQL', () => checkDatabase(env['DATABASE_URL'] ?? '')] satisfies Check] : []),
];
