import type { IdentityDatabase } from '@foyer/prisma/identity';
import { accessTokenVerifier } from '@foyer/shared/auth/access-token';
import type { ElsewhereSigned } from '@foyer/shared/auth/authentication';
import type { Clock } from '@foyer/shared/clock';
import type { Log } from '@foyer/shared/telemetry/log';
import { readCapped } from '../read-capped.ts';
import type { Staff } from '@foyer/shared/auth/viewer';
import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';

interface Needs {
  db: Pick<IdentityDatabase, 'organizationMember' | 'authUser'>;
  log: Pick<Log, 'warn'>;
  clock: Clock;
  /** Where it is; may have a path. */
  url: string;
  /** What its tokens say in `iss`. */
  issuer: string;
  /** How long a token of ours lives, and so how long a revocation is remembered. */
  accessSeconds: number;
}

/** As long as the documents let a verifier keep the key set. */
const CACHED_MS = 5 * 60_000;
/** The key set is asked for once in this time, whoever sends tokens whose key nobody knows, and while it can't be read. */
const COOLDOWN_MS = 30_000;
const TIMEOUT_MS = 5_000;
const KEY_SET_BYTES = 100_000;
/** As long as anything else that revokes a token may go unnoticed. */
const KNOWN_MS = 5_000;
const KNOWN_AT_MOST = 10_000;

/**
 * Tokens of an auth service that runs elsewhere while this one takes over (docs/decisions/0056). They must say all that our
 * own say, and speak of somebody who is a member here, of an organization that is active, in the account that is here.
 */
export function legacyAuthService(needs: Needs): ElsewhereSigned {
  const { db, issuer, accessSeconds } = needs;
  const verify = accessTokenVerifier(openRemoteKeys(needs), issuer);
  const known = new LRUCache<string, { isKnown: boolean }>({ max: KNOWN_AT_MOST, ttl: KNOWN_MS });

  async function isMember({ userId, organizationId }: Staff): Promise<boolean> {
    const key = `${userId} ${organizationId}`;
    const found = known.get(key);
    if (found) return found.isKnown;
    const [member, account] = await Promise.all([
      db.organizationMember.findFirst({ where: { userId, organizationId, organization: { status: 'active' } } }),
      db.authUser.findUnique({ where: { id: userId }, select: { accountState: true } }),
    ]);
    const isKnown = member !== null && account?.accountState !== 'disabled';
    known.set(key, { isKnown });
    return isKnown;
  }

  return async (token, now) => {
    const staff = await verify(token, now);
    // A longer life than ours would outlast what is remembered of revocations.
    if (!staff || staff.issuedAt + accessSeconds <= now.getTime() / 1_000) return null;
    return (await isMember(staff)) ? staff : null;
  };
}

/** The key set of the service, as it publishes it. While it can't be had, its tokens are none. */
function openRemoteKeys({ url, log, clock }: Needs): JWTVerifyGetKey {
  const address = new URL('.well-known/jwks.json', `${url.replace(/\/+$/, '')}/`);
  let failedAt = Number.NEGATIVE_INFINITY;
  const keys = createRemoteJWKSet(address, {
    cacheMaxAge: CACHED_MS,
    cooldownDuration: COOLDOWN_MS,
    timeoutDuration: TIMEOUT_MS,
    // jose waits after an answer only: without this, each token would ask a service that is down.
    [customFetch]: async () => {
      if (clock.now().getTime() - failedAt < COOLDOWN_MS) throw new Error('the key set could not be read a moment ago');
      try {
        return Response.json(await readKeySet(address));
      } catch (error) {
        failedAt = clock.now().getTime();
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
