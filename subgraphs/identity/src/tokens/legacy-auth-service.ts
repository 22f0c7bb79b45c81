import { accessTokenVerifier } from '@foyer/shared/auth/access-token';
import type { ElsewhereSigned } from '@foyer/shared/auth/authentication';
import type { Log } from '@foyer/shared/telemetry/log';
import { readCapped } from '@foyer/shared/http/read-capped';
import type { Staff } from '@foyer/shared/auth/viewer';
import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';

import type { TokenRecords } from './token-records.ts';

interface Needs {
  records: Pick<TokenRecords, 'isMember'>;
  log: Pick<Log, 'warn'>;
  /** The address of the service; it may have a path. */
  url: string;
  /** The `iss` claim of its tokens. */
  issuer: string;
  /** The lifetime of our own tokens, and so how long a revocation is remembered. */
  accessSeconds: number;
}

/** The documented time for which a verifier may cache the key set. */
const CACHED_MS = 5 * 60_000;
/**
 * The key set is fetched at most once in this time, however many tokens have unknown keys, and while it can't be read.
 */
const COOLDOWN_MS = 30_000;
const TIMEOUT_MS = 5_000;
const KEY_SET_BYTES = 100_000;
/** As long as any other revocation may go unnoticed. */
const KNOWN_MS = 5_000;
const KNOWN_AT_MOST = 10_000;

/**
 * Verifies tokens of a legacy auth service during a migration (docs/decisions/0056). They must carry all claims of our
 * own tokens, and name an account that exists here and is a member of an active organization.
 */
export function legacyAuthService(needs: Needs): ElsewhereSigned {
  const { records, issuer, accessSeconds } = needs;
  const { verify } = accessTokenVerifier(openRemoteKeys(needs), issuer);
  const known = new LRUCache<string, { isKnown: boolean }>({ max: KNOWN_AT_MOST, ttl: KNOWN_MS });

  async function isMember({ userId, organizationId }: Staff): Promise<boolean> {
    const key = `${userId} ${organizationId}`;
    const found = known.get(key);
    if (found) return found.isKnown;
    const isKnown = await records.isMember({ userId, organizationId });
    known.set(key, { isKnown });
    return isKnown;
  }

  return async (token, now) => {
    const staff = await verify(token, now);
    // A token that lives longer than ours would outlive the revocations that we remember.
    if (!staff || staff.issuedAt + accessSeconds <= now.getTime() / 1_000) return null;
    return (await isMember(staff)) ? staff : null;
  };
}

/** The published key set of the service. While it can't be read, its tokens are not accepted. */
function openRemoteKeys({ url, log }: Needs): JWTVerifyGetKey {
  const address = new URL('.well-known/jwks.json', `${url.replace(/\/+$/, '')}/`);
  let failedAt = Number.NEGATIVE_INFINITY;
  const keys = createRemoteJWKSet(address, {
    cacheMaxAge: CACHED_MS,
    cooldownDuration: COOLDOWN_MS,
    timeoutDuration: TIMEOUT_MS,
    // jose waits only after an answer: without this, each token would cause a request to a service that is down.
    [customFetch]: async () => {
      if (performance.now() - failedAt < COOLDOWN_MS) throw new Error('the key set could not be read a moment ago');
      try {
        return Response.json(await readKeySet(address));
      } catch (error) {
        failedAt = performance.now();
        log.warn({ err: error, url: address.href }, 'the key set of the legacy auth service can not be read');
        throw error;
      }
    },
  });
  return (header, token) => keys(header, token);
}

const KeySet = z.object({ keys: z.array(z.looseObject({})) });

async function readKeySet(address: URL) {
  const answer = await fetch(address, {
    headers: { accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const text = await readCapped(answer, KEY_SET_BYTES);
  if (!answer.ok) throw new Error(`the key set was answered with ${answer.status}`);
  return KeySet.parse(JSON.parse(text));
}
