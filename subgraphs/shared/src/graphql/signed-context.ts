import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';

import { jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';

import type { Clock } from '../clock.ts';
import type { RequestScope } from '../http/request.ts';

/** The viewer and client of a request, as the edge has verified them, for a subgraph on the network. */
export type SignedContext = Pick<RequestScope, 'viewer' | 'client'>;

/** The header that carries the signed context of an HTTP request; over WebSocket it is the extension of the same name. */
export const SIGNED_CONTEXT = 'foyer-viewer';

/** Signs a context for one subgraph. */
export type SignContext = (subgraph: string, signed: SignedContext) => Promise<string>;

/** Verifies a signed context; null when it is not valid for this subgraph now. */
export type VerifyContext = (token: unknown) => Promise<SignedContext | null>;

const ISSUER = 'foyer-gateway';
/** Keeps other tokens of Foyer from passing as a signed context (RFC 8725, section 3.11). */
const TYPE = 'introduction+jwt';
/** Short, in case one leaks; a signed context is verified when a request arrives or a stream begins, and not later. */
const LIFETIME_SECONDS = 60;
/** A second request of the same client gets the same one, as long as half of its life is left. */
const REUSED_SECONDS = LIFETIME_SECONDS / 2;
const REMEMBERED = 10_000;
/** How far the clocks of two machines may be apart. */
const TOLERATED_SECONDS = 10;

/** @param privateKey Ed25519, PKCS#8, PEM: the gateway's alone */
export function openContextSigner({ privateKey, clock }: { privateKey: string; clock: Clock }): SignContext {
  const key = createPrivateKey(privateKey);
  const signed = new LRUCache<string, { token: Promise<string>; issuedAt: number }>({ max: REMEMBERED });

  const sign = (subgraph: string, { viewer, client }: SignedContext, issuedAt: number): Promise<string> =>
    new SignJWT({ viewer, client: { ...client } })
      .setProtectedHeader({ alg: 'EdDSA', typ: TYPE })
      .setIssuer(ISSUER)
      .setAudience(subgraph)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + LIFETIME_SECONDS)
      .sign(key);

  return (subgraph, { viewer, client }) => {
    const now = secondsOf(clock);
    const who = JSON.stringify([subgraph, viewer, client]);
    const known = signed.get(who);
    if (known && now < known.issuedAt + REUSED_SECONDS) return known.token;
    const token = sign(subgraph, { viewer, client }, now);
    signed.set(who, { token, issuedAt: now });
    return token;
  };
}

const secondsOf = (clock: Clock) => Math.floor(clock.now().getTime() / 1_000);

interface VerifierOptions {
  /** Of the gateway, Ed25519, SPKI, PEM; the second while one takes over from the other. */
  publicKeys: readonly string[];
  /** The name of this subgraph: a context signed for another one is not valid here. */
  subgraph: string;
  clock: Clock;
}

/** Trusts nothing but the gateway's signature. */
export function openContextVerifier({ publicKeys, subgraph, clock }: VerifierOptions): VerifyContext {
  const keys = publicKeys.map((pem) => createPublicKey(pem));
  const verified = new LRUCache<string, { signed: SignedContext; expiresAt: number }>({ max: REMEMBERED });

  async function verify(key: KeyObject, token: string): Promise<SignedContext> {
    const { payload } = await jwtVerify<SignedContext>(token, key, {
      algorithms: ['EdDSA'],
      typ: TYPE,
      issuer: ISSUER,
      audience: subgraph,
      clockTolerance: TOLERATED_SECONDS,
      currentDate: clock.now(),
      requiredClaims: ['exp'],
    });
    const signed = { viewer: payload.viewer, client: payload.client };
    verified.set(token, { signed, expiresAt: payload.exp ?? 0 });
    return signed;
  }
  return async (token) => {
    if (typeof token !== 'string') return null;
    const known = verified.get(token);
    if (known && secondsOf(clock) < known.expiresAt) return known.signed;
    try {
      return await Promise.any(keys.map((key) => verify(key, token)));
    } catch {
      return null;
    }
  };
}
