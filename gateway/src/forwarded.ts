import type { IncomingHttpHeaders } from 'node:http';

import { headerValue, type HeaderValue } from './header-value.ts';

import type { Config } from './config.ts';
import { headersTooLong, notAHeader } from './http/refusals.ts';

/** Headers of a request that subgraphs on the network get too; their names are configured. */
export type Forwarded = Readonly<Record<string, HeaderValue>>;

/**
 * Characters of all that is passed on: with what we add it is still a head that common servers read. One that does not
 * may hang up, and who has hung up on one client's request would seem to be down for all.
 */
const LONGEST = 8_192;

/**
 * The headers that subgraphs on the network are to get too: this is where a client's text becomes one.
 *
 * @param headers of the request; over WebSocket also the texts of the greeting, which may hold any character
 * @throws {Refusal} `BAD_USER_INPUT` for what may not stand in a header, and for too much of it
 */
export function forwardedOf(headers: IncomingHttpHeaders, { subgraphs }: Pick<Config, 'subgraphs'>): Forwarded {
  const forwarded: Record<string, HeaderValue> = {};
  let length = 0;
  for (const name of subgraphs.forwardHeaders) {
    const given = Object.hasOwn(headers, name) ? headers[name] : undefined;
    if (given === undefined) continue;
    const value = headerValue(String(given));
    if (value === undefined) throw notAHeader(name);
    length += value.length;
    if (length > LONGEST) throw headersTooLong();
    forwarded[name] = value;
  }
  return forwarded;
}

/** What a header of HTTP itself says is for one connection, or is ours to say. */
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
