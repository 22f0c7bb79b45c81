import { stat } from 'node:fs/promises';
import { join } from 'node:path';

import { readConfig as readIdentityConfig } from '@foyer/identity/config';
import { endsSoon, verifyLicense } from '@foyer/identity/license';
import { isSameCompanyCode } from '@foyer/shared/company-code';

import { readers } from '../../composition/configuration.ts';
import { failed, ok, reasonOf, warning, type Finding } from './finding.ts';

/** Lets every package read its variables and secrets, as a start does. */
export function checkConfiguration(env: NodeJS.ProcessEnv): Finding[] {
  return Object.entries(readers).map(([name, read]) => {
    const part = `configuration of ${name}`;
    try {
      read(env);
      return ok(part, 'every variable and secret can be used');
    } catch (error) {
      return failed(part, reasonOf(error), 'set that variable: docs/operations.md says how');
    }
  });
}

/** Checks the license like a login does. */
export async function checkLicense(env: NodeJS.ProcessEnv): Promise<Finding> {
  const { license } = readIdentityConfig(env);
  const cure = 'set LICENSE_KEY and LICENSE_PUBLIC_KEY to a valid pair: until then every login is refused';
  if (!license.key || !license.publicKey) return failed('license', 'none is set', cure);
  const now = new Date();
  try {
    const found = await verifyLicense(license.publicKey, license.key, now);
    const { companyCode, expiresAt } = found;
    if (!isSameCompanyCode(companyCode, license.companyCode))
      return failed('license', `it is for ${companyCode}, this installation is ${license.companyCode}`, cure);
    const until = `valid until ${expiresAt.toISOString().slice(0, 10)}`;
    return endsSoon(found, now) ? warning('license', until, 'ask for a new one in time') : ok('license', until);
  } catch (error) {
    return failed('license', reasonOf(error), cure);
  }
}

/** Checks that only the owner may read the file of generated secrets. */
export async function checkSecretsFile(dataDir: string): Promise<Finding[]> {
  const file = join(dataDir, 'secrets.json');
  const found = await stat(file).catch(() => undefined);
  if (!found) return [];
  return (found.mode & 0o077) === 0
    ? [ok('secrets file', 'only its owner may read it')]
    : [failed('secrets file', `others may read ${file}`, `chmod 600 ${file}, and consider its secrets as known`)];
}
