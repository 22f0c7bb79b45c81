import { inTime } from '@foyer/shared/http/in-time';
import type { Log } from '@foyer/shared/telemetry/log';
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  errors,
  type JSONWebKeySet,
  type JWK,
  type JWTVerifyGetKey,
} from 'jose';
import { Agent, request } from 'undici';

import { keysUnavailable } from './refusals.ts';
import { whyUnusable } from './unusable-key.ts';

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
  algorithms: readonly string[];
  /** What the provider wants besides, such as an API key. */
  headers: Readonly<Record<string, string>>;
  log: Log;
}

/** The key set can't be read. Any other error is about a token. */
class Unreadable extends Error {
  override readonly name = 'Unreadable';
}

/**
 * The keys of a JWKS endpoint, without those that can't be used. While it can't be reached, the last known keys stay in use.
 *
 * @returns a function that throws a jose error when no key fits the token, and a Refusal `JWKS_UNAVAILABLE` when that can't
 *   be known
 */
export function remoteKeySet({ url, algorithms, headers, log }: Source): JWTVerifyGetKey {
  // Without keep-alive there is nothing to close.
  const dispatcher = new Agent({ maxResponseSize: MAX_BYTES, pipelining: 0, allowH2: false });
  const remote = createRemoteJWKSet(new URL(url), {
    cacheMaxAge: FRESH_MS,
    cooldownDuration: COOLDOWN_MS,
    [customFetch]: async () => Response.json(await usable(await fetched())),
  });
  let failed: { until: number; cause: unknown } | undefined;
  let warnedOf = new Set<string>();

  async function fetched(): Promise<JSONWebKeySet> {
    try {
      const { statusCode, text } = await inTime(TIMEOUT_MS, async (signal) => {
        const response = await request(url, { headers: { accept, ...headers }, dispatcher, signal });
        return { statusCode: response.statusCode, text: await response.body.text() };
      });
      if (statusCode !== 200) throw new Error(unexpected(statusCode));
      const keySet = JSON.parse(text) as JSONWebKeySet;
      createLocalJWKSet(keySet); // throws if it is none
      return keySet;
    } catch (cause) {
      throw new Unreadable(cause instanceof Error ? cause.message : String(cause), { cause });
    }
  }

  async function usable({ keys }: JSONWebKeySet): Promise<JSONWebKeySet> {
    const unusable = new Map<JWK, string>();
    for (const key of keys) {
      const reason = await whyUnusable(key, algorithms);
      if (reason !== undefined) unusable.set(key, reason);
    }
    const warnedBefore = warnedOf;
    warnedOf = new Set([...unusable.keys()].map((key) => JSON.stringify(key)));
    for (const [key, reason] of unusable) {
      if (warnedBefore.has(JSON.stringify(key))) continue;
      log.warn({ url, kid: key.kid, reason }, 'a key of a key set can not be used');
    }
    return { keys: keys.filter((key) => !unusable.has(key)) };
  }

  return async (header, token) => {
    const now = performance.now();
    if (failed && now < failed.until) return lastKnown(failed.cause)(header, token);
    try {
      const key = await remote(header, token);
      failed = undefined;
      return key;
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      failed = { until: now + RETRY_MS, cause: error };
      log.warn({ url, reason: error.message }, 'a key set can not be read');
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

const unexpected = (status: number) =>
  status >= 300 && status < 400
    ? `status ${status}: redirects are not followed, name the address that it leads to`
    : `status ${status}`;
