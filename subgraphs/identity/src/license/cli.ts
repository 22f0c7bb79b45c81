/**
 * Issues a license key, and prints it:
 *
 *     pnpm license:issue --company-code ACME --days 365 [--hosting cloud|on_prem] [--key private.pem]
 *     pnpm license:issue --new-key       makes a pair of keys instead
 *
 * Without --key the signing key is LICENSE_PRIVATE_KEY, or else the one in DATA_DIR/secrets.json.
 */
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { z } from 'zod';

import { issueLicense } from './license.ts';

const Options = z.object({
  'company-code': z.string('is needed').trim().min(1, 'is needed').max(100, 'must have at most 100 characters'),
  days: z.coerce.number('must be a number of days').int().min(1).max(36_500),
  hosting: z.enum(['cloud', 'on_prem'], 'must be cloud or on_prem').default('on_prem'),
  key: z.string().optional(),
});

const secretsFile = () => join(process.env['DATA_DIR'] ?? '.data', 'secrets.json');

async function signingKey(file: string | undefined): Promise<string> {
  if (file) return readFile(file, 'utf8');
  const given = process.env['LICENSE_PRIVATE_KEY'];
  if (given) return given.replaceAll(String.raw`\n`, '\n');
  const kept = JSON.parse(await readFile(secretsFile(), 'utf8').catch(() => '{}')) as Record<string, string>;
  const key = kept['LICENSE_PRIVATE_KEY'];
  if (!key) throw new Error('no signing key: give --key or LICENSE_PRIVATE_KEY');
  return key;
}

function newKeys(): string {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const [secret, open] = [
    privateKey.export({ type: 'pkcs8', format: 'pem' }),
    publicKey.export({ type: 'spki', format: 'pem' }),
  ];
  return `LICENSE_PRIVATE_KEY, stays with who sells licenses:\n${String(secret)}\nLICENSE_PUBLIC_KEY:\n${String(open)}`;
}

async function issue(args: Record<string, unknown>): Promise<string> {
  const parsed = Options.safeParse(args);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new Error(`--${issue?.path.join('.')} ${issue?.message}`);
  }
  const { 'company-code': companyCode, days, hosting: hostingType, key } = parsed.data;
  const privateKey = await signingKey(key);
  const expiresAt = new Date(Date.now() + days * 86_400_000);
  console.error(
    `for ${companyCode}, ${hostingType}, until ${expiresAt.toISOString()}; LICENSE_PUBLIC_KEY:\n` +
      String(createPublicKey(privateKey).export({ type: 'spki', format: 'pem' })),
  );
  return issueLicense(privateKey, { companyCode, hostingType, expiresAt });
}

try {
  const { values } = parseArgs({
    options: {
      'company-code': { type: 'string' },
      days: { type: 'string' },
      hosting: { type: 'string' },
      key: { type: 'string' },
      'new-key': { type: 'boolean' },
    },
  });
  const { 'new-key': makeKeys, ...args } = values;
  console.log(makeKeys ? newKeys() : await issue(args));
} catch (error) {
  console.error(`license:issue: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
