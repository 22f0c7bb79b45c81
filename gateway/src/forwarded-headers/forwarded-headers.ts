import type { IncomingHttpHeaders } from 'node:http';

import type { ForwardedHeaders } from '@foyer/shared/graphql/operation-context';
import { headerValue, type HeaderValue } from '@foyer/shared/http/header-value';

import { headersTooLarge, invalidHeaderValue } from './refusals.ts';

/**
 * The length of all forwarded values, in characters: with our own headers they stay within what common servers accept.
 * A server that rejected them might close the connection, and would then seem to be down for every client.
 */
const LONGEST = 8_192;

/**
 * Reads the headers that are forwarded to subgraphs on the network. Only here does a client's text become a header.
 *
 * @param headers of the request; over WebSocket also the texts of `connection_init`, which may hold any character
 * @param names in lower case
 * @throws {Refusal} `NOT_A_HEADER` for a value that no header may have; `HEADERS_TOO_LARGE`
 */
export function forwardedHeaders(headers: IncomingHttpHeaders, names: readonly string[]): ForwardedHeaders {
  const forwarded: Record<string, HeaderValue> = {};
  let length = 0;
  for (const name of names) {
    const given = Object.hasOwn(headers, name) ? headers[name] : undefined;
    if (given === undefined) continue;
    const value = headerValue(String(given));
    if (value === undefined) throw invalidHeaderValue(name);
    length += value.length;
    if (length > LONGEST) throw headersTooLarge();
    forwarded[name] = value;
  }
  return forwarded;
}

/** Headers that concern one connection only, or that we set ourselves. */
const NOT_TO_FORWARD = new Set([
  'accept',
  'connection',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'x-request-id',
]);

/** A token (RFC 9110, section 5.6.2) that is not one of HTTP's own, nor of the WebSocket handshake. */
export const isForwardable = (name: string): boolean =>
  /^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name) && !NOT_TO_FORWARD.has(name) && !name.startsWith('sec-websocket-');
