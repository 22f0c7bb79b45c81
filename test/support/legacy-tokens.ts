import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { SignJWT } from 'jose';

import type { House } from './house.ts';

/** The secret with which a house signs legacy tokens. */
async function legacySecret({ dataDir }: Pick<House, 'dataDir'>): Promise<Uint8Array> {
  const kept = JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8')) as Record<string, string>;
  return new TextEncoder().encode(kept['LEGACY_JWT_SECRET']);
}

/** A legacy token with these claims, valid unless told otherwise. */
export async function legacyToken(
  house: Pick<House, 'dataDir'>,
  claims: Record<string, unknown>,
  { key, expires = '1h', alg = 'HS256' }: { key?: Uint8Array; expires?: string; alg?: string } = {},
): Promise<string> {
  return new SignJWT({ sub: 'somebody', ...claims })
    .setProtectedHeader({ alg })
    .setExpirationTime(expires)
    .sign(key ?? (await legacySecret(house)));
}
