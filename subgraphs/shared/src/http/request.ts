import type { IncomingHttpHeaders } from 'node:http';

import { cookiesNamed } from '../auth/cookies.ts';
import type { Viewer } from '../auth/viewer.ts';

/** What travels with one request from the edge to every subgraph it touches. */
export interface RequestScope {
  /** Stands in every log line and every error of this request. */
  requestId: string;
  viewer: Viewer | null;
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
  /** What the cookie `device` says, unverified: on which people have signed in before (identity, known devices). */
  device?: string | undefined;
  /** What a person would recognise as the place they signed in from. */
  platform?: 'web' | 'mobile';
}

const USER_AGENT_LIMIT = 512;

/** What a client says that it is, as much as anybody reads of it: it travels with each request to a subgraph. */
export const userAgentOf = ({ 'user-agent': said = '' }: IncomingHttpHeaders): string =>
  said.slice(0, USER_AGENT_LIMIT);

const DEVICE_LIMIT = 1_024;

/** The cookie of a device that has signed somebody in before, as it was sent. */
export const deviceOf = ({ cookie }: IncomingHttpHeaders): string | undefined =>
  cookiesNamed('device', cookie).find((value) => value.length <= DEVICE_LIMIT);

export interface Reply {
  cookies: SetCookie[];
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
