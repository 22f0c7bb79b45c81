import type { IncomingHttpHeaders } from 'node:http';

import type { AccessClaims } from '../auth/access-claims.ts';
import { cookiesNamed } from '../auth/cookies.ts';
import type { Viewer } from '../auth/viewer.ts';
import type { Language } from './language.ts';

/** The scope of one request, from the edge to every subgraph that it uses. */
export interface RequestScope {
  /** The id in every log line and every error of this request. */
  requestId: string;
  viewer: Viewer | null;
  /** What the credential proves; without it the viewer decides. For the gateway alone: subgraphs don't get it. */
  access?: AccessClaims | undefined;
  /** The headers of the request, where there is one. For plugins of the gateway alone: subgraphs don't get them. */
  headers?: IncomingHttpHeaders | undefined;
  client: Client;
  /** Aborts when the client has gone. */
  signal: AbortSignal;
  /** What a use case sets in the HTTP response. */
  reply: Reply;
}

export interface Client {
  /** The address, after TRUSTED_PROXIES. */
  address: string;
  /** As `userAgentOf` reads it. */
  userAgent: string;
  /** The cookie `device`, unverified: it names the people who have logged in on the device (identity, known devices). */
  device?: string | undefined;
  /** A description by which a person recognizes the device of a login. */
  platform?: 'web' | 'mobile';
  /** The language of the page, or of the browser; undefined for none of ours. Mails that the request causes are in it. */
  language?: Language | undefined;
}

const USER_AGENT_LIMIT = 512;

/** The User-Agent, cut to a readable length, because it is sent with each request to a subgraph. */
export const userAgentOf = ({ 'user-agent': said = '' }: IncomingHttpHeaders): string =>
  said.slice(0, USER_AGENT_LIMIT);

const DEVICE_LIMIT = 1_024;

/** The cookie of a known device, as it was sent. */
export const deviceOf = ({ cookie }: IncomingHttpHeaders): string | undefined =>
  cookiesNamed('device', cookie).find((value) => value.length <= DEVICE_LIMIT);

export interface Reply {
  cookies: SetCookie[];
  /** Headers of subgraphs on the network that the client gets, too, by their names in lower case. */
  headers?: Map<string, readonly string[]>;
}

/** One Set-Cookie header (RFC 6265). An empty value with `maxAgeSeconds: 0` clears the cookie. */
export interface SetCookie {
  name: string;
  value: string;
  path: string;
  domain?: string;
  maxAgeSeconds: number;
  httpOnly: boolean;
  secure: boolean;
  sameSite: 'Lax' | 'Strict' | 'None';
}
