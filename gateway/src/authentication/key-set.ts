import type { Log } from '@foyer/shared/telemetry/log';
import { createLocalJWKSet, createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey } from 'jose';
import { Agent, request } from 'undici';

import { keysUnavailable } from './refusals.ts';

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 1024 * 1024;
/** For how long fetched keys are used without another look, which is also how long a withdrawn key stays trusted. */
const FRESH_MS = 10 * 60_000;
/** Tokens of unknown keys make us look for new ones, but not more often than this. */
const COOLDOWN_MS = 30_000;
/** How long to wait after a failed attempt: every request would otherwise wait for the timeout. */
const RETRY_MS = 5_000;

interface Source {
  url: string;
  /** What the provider wants besides, such as an API key. */
  headers: Readonly<Record<string, string>>;
  log: Log;
}

/**
 * The keys of a JWKS endpoint. While it can't be reached, the last known keys stay in use.
 *
 * @returns a function that throws a jose error when no key fits the token, and a Refusal `JWKS_UNAVAILABLE` when that can't
 *   be known
 */
export function remoteKeySet({ url, headers, log }: Source): JWTVerifyGetKey {
  // Without keep-alive there is nothing to close.
  const dispatcher = new Agent({ maxResponseSize: MAX_BYTES, pipelining: 0 });
  const remote = createRemoteJWKSet(new URL(url), {
    cacheMaxAge: FRESH_MS,
    cooldownDuration: COOLDOWN_MS,
    async [customFetch](address) {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const { statusCode, body } = await request(address, { headers: { accept, ...headers }, dispatcher, signal });
      return new Response(await body.text(), { status: statusCode });
    },
  });
  let failed: { until: number; cause: unknown } | undefined;

  return async (header, token) => {
    const now = Date.now();
    if (failed && now < failed.until) return lastKnown(failed.cause)(header, token);
    try {
      const key = await remote(header, token);
      failed = undefined;
      return key;
    } catch (error) {
      if (concernsTheToken(error)) throw error;
      failed = { until: now + RETRY_MS, cause: error };
      log.warn({ url, reason: error instanceof Error ? error.message : String(error) }, 'a key set can not be read');
      return lastKnown(error)(header, token);
    }
  };

  function lastKnown(cause: unknown): JWTVerifyGetKey {
    const known = remote.jwks();
    if (!known) throw keysUnavailable(cause);
    const local = createLocalJWKSet(known);
    return async (header, token) => {
      try {
        return await local(header, token);
      } catch (error) {
        // The key may be one of those that we can't read now.
        throw error instanceof errors.JWKSNoMatchingKey ? keysUnavailable(cause) : error;
      }
    };
  }
}

const accept = 'application/json, application/jwk-set+json';

const concernsTheToken = (error: unknown) =>
  error instanceof errors.JWKSNoMatchingKey ||
  error instanceof errors.JWKSMultipleMatchingKeys ||
  error instanceof errors.JOSENotSupported;
