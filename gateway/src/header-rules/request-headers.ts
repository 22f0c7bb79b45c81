import type { IncomingHttpHeaders } from 'node:http';

import type { ForwardedHeaders, HeadersToSubgraph } from '@foyer/shared/graphql/operation-context';
import type { Viewer } from '@foyer/shared/auth/viewer';
import { headerValue, type HeaderValue } from '@foyer/shared/http/header-value';

import { isForwardable } from './names.ts';
import { headersTooLarge, invalidHeaderValue } from './refusals.ts';
import { selects, type HeaderRules, type RequestRule } from './rules.ts';

/**
 * The length of all values for a subgraph, in characters: with our own headers they stay within what common servers accept.
 * A server that rejected them might close the connection, and would then seem to be down for every client.
 */
const LONGEST = 8_192;

/** The claims of a verified token. */
type Claims = Readonly<Record<string, unknown>>;

export const claimsOf = (viewer: Viewer | null): Claims => (viewer?.kind === 'token-bearer' ? viewer.claims : {});

/**
 * Makes the headers that subgraphs on the network get, by the rules. Only here does a client's text become a header.
 *
 * @param headers of the request; over WebSocket also texts of `connection_init`, which may hold any character
 * @throws {Refusal} `NOT_A_HEADER` for a value that no header may have; `HEADERS_TOO_LARGE`
 */
export function forwardedHeaders(
  headers: IncomingHttpHeaders,
  { all, subgraphs }: HeaderRules,
  claims: Claims = {},
): ForwardedHeaders {
  const ofSubgraphs = Object.entries(subgraphs).filter(([, { request }]) => request.length > 0);
  return {
    all: apply(all.request, headers, claims),
    subgraphs: Object.fromEntries(
      ofSubgraphs.map(([name, { request }]) => [name, apply([...all.request, ...request], headers, claims)]),
    ),
  };
}

function apply(rules: readonly RequestRule[], headers: IncomingHttpHeaders, claims: Claims): HeadersToSubgraph {
  const made: Record<string, HeaderValue> = {};
  // What a client sends by such a name must never pass for a claim, in whatever order the rules are.
  const ofClaims = new Set(rules.flatMap(({ insert }) => (insert?.claim === undefined ? [] : [insert.name])));
  for (const { propagate, insert, remove } of rules) {
    for (const [name, value] of propagate ? propagated(propagate, headers) : []) {
      if (!ofClaims.has(name)) made[name] = value;
    }
    if (insert) {
      const value = insert.claim === undefined ? insert.value : claimValue(claims, insert.claim);
      if (value === undefined) delete made[insert.name];
      else made[insert.name] = value;
    }
    if (remove) for (const name of Object.keys(made)) if (selects(remove, name)) delete made[name];
  }
  const length = Object.values(made).reduce((sum, value) => sum + value.length, 0);
  if (length > LONGEST) throw headersTooLarge();
  return made;
}

function propagated(
  { named, matching, rename, default: otherwise }: NonNullable<RequestRule['propagate']>,
  headers: IncomingHttpHeaders,
): [name: string, value: HeaderValue][] {
  if (named !== undefined) {
    const value = valueIn(headers, named) ?? otherwise;
    return value === undefined ? [] : [[rename ?? named, value]];
  }
  return Object.keys(headers).flatMap((name) => {
    const value = matching?.test(name) && isForwardable(name) ? valueIn(headers, name) : undefined;
    return value === undefined ? [] : [[name, value]];
  });
}

function valueIn(headers: IncomingHttpHeaders, name: string): HeaderValue | undefined {
  const given = Object.hasOwn(headers, name) ? headers[name] : undefined;
  if (given === undefined) return undefined;
  const value = headerValue(String(given));
  if (value === undefined) throw invalidHeaderValue(name);
  return value;
}

/** A claim as a header: a text, a number, a boolean, or a list of them, joined by commas. Undefined for anything else. */
function claimValue(claims: Claims, claim: string): HeaderValue | undefined {
  const value = Object.hasOwn(claims, claim) ? claims[claim] : undefined;
  const parts = Array.isArray(value) ? (value as unknown[]) : [value];
  if (parts.length === 0 || !parts.every(isPlain)) return undefined;
  return headerValue(parts.map(String).join(','));
}

const isPlain = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value);
