import { randomBytes } from 'node:crypto';

import { demo } from '@foyer/shared/demo';
import { issueFor } from '@foyer/identity/issue-license';

import { newSecrets, publicHalf } from '../../data-dir/secrets.ts';
import type { Terminal } from '../operator/terminal.ts';

const LICENSE_DAYS = 365;

/** `foyer secrets`: prints a new set of all secrets, as the .env file that docker-compose.yml reads. Stores none. */
export async function printSecrets(terminal: Terminal): Promise<boolean> {
  const secrets = newSecrets();
  const { license, publicKey } = await issueFor(secrets.LICENSE_PRIVATE_KEY, {
    companyCode: demo.platform.companyCode,
    days: LICENSE_DAYS,
    hosting: 'cloud',
  });
  const all = {
    ...secrets,
    AUTH_JWT_PUBLIC_KEY: publicHalf(secrets.AUTH_JWT_PRIVATE_KEY),
    VIEWER_PUBLIC_KEY: publicHalf(secrets.VIEWER_SIGNING_KEY),
    LICENSE_KEY: license,
    LICENSE_PUBLIC_KEY: publicKey,
    POSTGRES_PASSWORD: randomBytes(24).toString('hex'),
    FOYER_DB_PASSWORD: randomBytes(24).toString('hex'),
    ZITADEL_DB_PASSWORD: randomBytes(24).toString('hex'),
    REDIS_PASSWORD: randomBytes(24).toString('hex'),
    S3_ACCESS_KEY: randomBytes(10).toString('hex'),
    S3_SECRET_KEY: randomBytes(24).toString('hex'),
    ZITADEL_MASTERKEY: randomBytes(16).toString('hex'),
    ZITADEL_ADMIN_PASSWORD: `${randomBytes(12).toString('hex')}-Aa1`,
  };
  const lines = Object.entries(all).map(
    ([name, value]) => `${name}="${value.trim().replaceAll('\n', String.raw`\n`)}"`,
  );
  terminal.note('Keep this where only the operator reads it: pnpm --silent foyer secrets > .env');
  terminal.say(all, lines.join('\n'));
  return true;
}
