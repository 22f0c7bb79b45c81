import type { Viewer } from './viewer.ts';

/** What a request brings to prove who asks. */
export interface Credentials {
  /** The `Authorization` header as sent. */
  authorization?: string | undefined;
  /** The `Cookie` header as sent. */
  cookie?: string | undefined;
}

export interface Authentication {
  viewer: Viewer | null;
  /** What proved it: a cookie travels by itself, so unsafe requests that rest on one need an Origin check. */
  by: 'bearer' | 'cookie' | 'nothing';
}

/**
 * Verifies the credentials of a request, once, at the edge.
 *
 * A bearer token that does not verify is refused; a cookie that does not is as good as none,
 * because the client may not even know that it sends it.
 *
 * @throws {Refusal} `UNAUTHENTICATED`
 */
export type Authenticate = (credentials: Credentials) => Promise<Authentication>;
