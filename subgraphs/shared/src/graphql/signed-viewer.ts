import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';

import { jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';

import type { Clock } from '../clock.ts';
import type { RequestScope } from '../http/request.ts';

/** The viewer and client of a request, as the edge has verified them, for a subgraph on the network. */
export type Introduction = Pick<RequestScope, 'viewer' | 'client'>;

/** Carries the introduction of an HTTP request; over WebSocket it is the extension of the same name. */
export const INTRODUCTION = 'foyer-viewer';

/** Signs an introduction for one subgraph. */
export type Introduce = (subgraph: string, introduction: Introduction) => Promise<string>;

/** Verifies an introduction; null when it is not valid for this subgraph now. */
export type Recognize = (token: unknown) => Promise<Introduction | null>;

const ISSUER = 'foyer-gateway';
/** Keeps other tokens of Foyer from passing as an introduction (RFC 8725, section 3.11). */
const TYPE = 'introduction+jwt';
/** Short, in case one leaks; an introduction is verified when a request arrives or a stream begins, and not later. */
const LIFETIME_SECONDS = 60;
/** A second request of the same client gets the same one, as long as half of its life is left. */
const REUSED_SECONDS = LIFETIME_SECONDS / 2;
const REMEMBERED = 10_000;
/** How far the clocks of two machines may be apart. */
const TOLERATED_SECONDS = 10;

/** @param privateKey Ed25519, PKCS#8, PEM: the gateway's alone */
export function openIntroductions({ privateKey, clock }: { privateKey: string; clock: Clock }): Introduce {
  const key = createPrivateKey(privateKey);
  const signed = new LRUCache<string, { token: Promise<string>; issuedAt: number }>({ max: REMEMBERED });

  const sign = (subgraph: string, { viewer, client }: Introduction, issuedAt: number): Promise<string> =>
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

interface RecognitionNeeds {
  /** Of the gateway, Ed25519, SPKI, PEM; the second while one takes over from the other. */
  publicKeys: readonly string[];
  /** This subgraph: an introduction to another one is none. */
  subgraph: string;
  clock: Clock;
}

/** Trusts nothing but the gateway's signature. */
export function openRecognition({ publicKeys, subgraph, clock }: RecognitionNeeds): Recognize {
  const keys = publicKeys.map((pem) => createPublicKey(pem));
  const recognized = new LRUCache<string, { introduction: Introduction; expiresAt: number }>({ max: REMEMBERED });

  async function verify(key: KeyObject, token: string): Promise<Introduction> {
    const { payload } = await jwtVerify<Introduction>(token, key, {
      algorithms: ['EdDSA'],
      typ: TYPE,
      issuer: ISSUER,
      audience: subgraph,
      clockTolerance: TOLERATED_SECONDS,
      currentDate: clock.now(),
      requiredClaims: ['exp'],
    });
    const introduction = { viewer: payload.viewer, client: payload.client };
    recognized.set(token, { introduction, expiresAt: payload.exp ?? 0 });
    return introduction;
  }
  return async (token) => {
    if (typeof token !== 'string') return null;
    const known = recognized.get(token);
    if (known && secondsOf(clock) < known.expiresAt) return known.introduction;
    try {
      return await Promise.any(keys.map((key) => verify(key, token)));
    } catch {
      return null;
    }
  };
}
