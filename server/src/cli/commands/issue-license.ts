import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { issueFor, LicenseOrder, newLicenseKeys } from '@foyer/identity/issue-license';

import { readConfig } from '../../config.ts';
import type { Terminal } from '../operator/terminal.ts';
import { UsageError } from '../operator/usage-error.ts';

/** `foyer license issue`: needs no installation, only the signing key. */
export async function issueLicense(terminal: Terminal, options: Record<string, unknown>): Promise<boolean> {
  if (options['newKey']) {
    const keys = newLicenseKeys();
    const [secret, open] = [keys.privateKey, keys.publicKey];
    terminal.say(
      keys,
      `LICENSE_PRIVATE_KEY, for the seller of licenses only:\n${secret}\nLICENSE_PUBLIC_KEY:\n${open}`,
    );
    return true;
  }
  const order = LicenseOrder.safeParse(options);
  if (!order.success) {
    const [issue] = order.error.issues;
    throw new UsageError(
      `--${String(issue?.path[0]) === 'companyCode' ? 'company-code' : issue?.path.join('.')} ${issue?.message}`,
    );
  }
  const issued = await issueFor(await signingKey(terminal.env, options['key']), order.data);
  const { companyCode, hostingType, expiresAt } = issued;
  terminal.note(
    `for ${companyCode}, ${hostingType}, until ${expiresAt.toISOString()}; LICENSE_PUBLIC_KEY:\n${issued.publicKey}`,
  );
  terminal.say(issued, issued.license);
  return true;
}

async function signingKey(env: NodeJS.ProcessEnv, file: unknown): Promise<string> {
  if (typeof file === 'string') return readFile(file, 'utf8');
  const given = env['LICENSE_PRIVATE_KEY'];
  if (given) return given.replaceAll(String.raw`\n`, '\n');
  const kept = await readFile(join(readDataDir(env), 'secrets.json'), 'utf8').catch(() => '{}');
  const key = (JSON.parse(kept) as Record<string, string>)['LICENSE_PRIVATE_KEY'];
  if (!key) throw new Error('no signing key: give --key or LICENSE_PRIVATE_KEY');
  return key;
}

/** Reads DATA_DIR only: a seller of licenses needs no other configuration. */
const readDataDir = ({ DATA_DIR }: NodeJS.ProcessEnv) => readConfig({ DATA_DIR }).dataDir;
