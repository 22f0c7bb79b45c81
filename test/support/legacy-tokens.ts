import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { SignJWT } from 'jose';

import type { ServerProcess } from './server-process.ts';

/** `LEGACY_JWT_SECRET` of a server that made it for itself. */
export async function legacySecret({ dataDir }: Pick<ServerProcess, 'dataDir'>): Promise<string> {
  const kept = JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8')) as Record<string, string>;
  return kept['LEGACY_JWT_SECRET'] ?? '';
}

/** A legacy token with these claims, valid unless told otherwise. */
export async function legacyToken(
  server: Pick<ServerProcess, 'dataDir'>,
  claims: Record<string, unknown>,
  { key, expires = '1h', alg = 'HS256' }: { key?: Uint8Array; expires?: string; alg?: string } = {},
): Promise<string> {
  return new SignJWT({ sub: 'somebody', ...claims })
    .setProtectedHeader({ alg })
    .setExpirationTime(expires)
    .sign(key ?? new TextEncoder().encode(await legacySecret(server)));
}
