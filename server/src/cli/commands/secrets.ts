import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';

import { demo } from '@foyer/shared/demo';
import { issueFor } from '@foyer/identity/issue-license';

import { newSecrets, publicHalf } from '../../data-dir/secrets.ts';
import type { Terminal } from '../operator/terminal.ts';

const LICENSE_DAYS = 365;

/** The services of docker-compose.yml that an installation may have elsewhere. */
const SERVICES = 'postgres,redis,s3,zitadel,mailpit';

/**
 * `foyer secrets`: makes a new set of all secrets, as the .env file that docker-compose.yml reads, and prints it, or writes it to a
 * new file that only its owner may read.
 */
export async function makeSecrets(terminal: Terminal, { file }: { file?: string }): Promise<boolean> {
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
    FOYER_OWNER_DB_PASSWORD: randomBytes(24).toString('hex'),
    ZITADEL_DB_PASSWORD: randomBytes(24).toString('hex'),
    REDIS_PASSWORD: randomBytes(24).toString('hex'),
    S3_ACCESS_KEY: randomBytes(10).toString('hex'),
    S3_SECRET_KEY: randomBytes(24).toString('hex'),
    ZITADEL_MASTERKEY: randomBytes(16).toString('hex'),
    ZITADEL_ADMIN_PASSWORD: `${randomBytes(12).toString('hex')}-Aa1`,
    COMPOSE_PROFILES: SERVICES,
  };
  const lines = Object.entries(all).map(
    ([name, value]) => `${name}="${value.trim().replaceAll('\n', String.raw`\n`)}"`,
  );
  const text = lines.join('\n');
  if (file === undefined) {
    terminal.note('Keep this where only the operator reads it: pnpm foyer secrets --file .env');
    terminal.say(all, text);
    return true;
  }
  // Never over an older one: what its secrets have encrypted would be lost.
  await writeFile(file, `${text}\n`, { mode: 0o600, flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST' ? new Error(`${file} exists already; move it away first`) : error;
  });
  terminal.say({ file }, `wrote ${file}, which only its owner may read`);
  return true;
}
