import { Refusal } from '../errors.ts';
import type { Id } from '../ids.ts';

/** The viewer of a request. Only the edge makes one, from a verified credential. */
export type Viewer = Staff | LegacyUser | Customer | LegacyClient | Service | TokenBearer;

/** A user who logged in through the login app: an RS256 access token (spec 1, "Access token claims"). */
export interface Staff {
  kind: 'staff';
  userId: Id;
  idpUserId: string;
  organizationId: Id;
  organizationSlug: string;
  /** A seeded role id such as ORG_ADMIN, the uuid of a custom role, or `member` (fallback: grants nothing). */
  role: string;
  sessionId: Id;
  tokenId: string;
  /** Whole seconds since 1970, as in the token. */
  issuedAt: number;
  expiresAt: number;
  /** Whether the token was revoked is unknown at the moment: it may be used for reading only. */
  readOnly?: true;
  /** What an open REST route grants to everybody; undefined anywhere else. */
  opening?: Opening;
}

/** A bearer of a legacy HS256 token with a staff role (spec 1, "A legacy HS256 scheme"). */
export interface LegacyUser {
  kind: 'legacy-user';
  subject: string;
  role: 'ADMIN' | 'SYSADMIN' | 'MEMBER';
  expiresAt: number;
}

/** A customer of the storefront: a legacy HS256 token with role CUSTOMER. */
export interface Customer {
  kind: 'customer';
  /** A string, as documented; one that is not a UUID belongs to a customer without a record here. */
  custId: string;
  /** Undefined in a token of the legacy system. */
  sessionId?: string;
  /** Whole seconds since 1970; 0 when the token has no such claim. */
  issuedAt: number;
  expiresAt: number;
  /** Whether the session has ended is unknown at the moment: the token may be used for reading only. */
  readOnly?: true;
  /** What an open REST route grants to everybody; undefined anywhere else. */
  opening?: Opening;
}

/** The permissions that an open REST route gives to everybody, in the organization and workspace that the client names. */
export interface Opening {
  organizationId?: Id;
  workspaceId?: Id;
  permissions: readonly string[];
}

/**
 * A client of a REST route that the documents leave open (`REST_AUTH=documented`): it holds
 * exactly the permissions that its route names, in the organization and workspace that it names.
 * GraphQL never makes such a viewer.
 */
export interface LegacyClient extends Opening {
  kind: 'legacy-client';
}

/**
 * A service that knows the shared secret (spec 1, "Service-to-service"). It has checked its own caller, so it
 * holds every permission on the platform and in organizations. Only the internal REST routes make such a viewer.
 */
export interface Service {
  kind: 'service';
}

/**
 * The bearer of a JSON Web Token of an issuer that the operator of a standalone gateway trusts. Foyer's own subgraphs never
 * see one.
 */
export interface TokenBearer {
  kind: 'token-bearer';
  /** The claims `iss` and `sub`. */
  issuer?: string;
  subject?: string;
  claims: Readonly<Record<string, unknown>>;
  /** Whole seconds since 1970. */
  expiresAt: number;
}

export const unauthenticated = () =>
  new Refusal('UNAUTHENTICATED', 'UNAUTHENTICATED', 'Sign in first: the access token is missing, invalid or expired.');

export const forbidden = () => new Refusal('FORBIDDEN', 'FORBIDDEN', 'You may not do this.');

export const revocationUnknown = () =>
  new Refusal(
    'UPSTREAM_UNAVAILABLE',
    'REVOCATION_UNKNOWN',
    'Whether this sign-in is still valid can not be known right now.',
    { retryAfter: 1 },
  );

/**
 * Asserts that the viewer's token may be used for changes, not only for reading.
 *
 * @throws {Refusal} `REVOCATION_UNKNOWN`
 */
export function assertMayChange(viewer: Viewer | null): void {
  if ((viewer?.kind === 'staff' || viewer?.kind === 'customer') && viewer.readOnly) throw revocationUnknown();
}

/** The viewer with a valid token of any kind: for fields that show each viewer what they may see. */
export function requireLogin(viewer: Viewer | null): Viewer {
  if (!viewer) throw unauthenticated();
  return viewer;
}

/** The viewer as a logged-in member of an organization. */
export function requireStaff(viewer: Viewer | null): Staff {
  if (!viewer) throw unauthenticated();
  if (viewer.kind !== 'staff') throw forbidden();
  return viewer;
}

/** The viewer as a customer of the storefront. */
export function requireCustomer(viewer: Viewer | null): Customer {
  if (!viewer) throw unauthenticated();
  if (viewer.kind !== 'customer') throw forbidden();
  return viewer;
}

/** The viewer as a service that knows the shared secret. */
export function requireService(viewer: Viewer | null): Service {
  if (!viewer) throw unauthenticated();
  if (viewer.kind !== 'service') throw forbidden();
  return viewer;
}
