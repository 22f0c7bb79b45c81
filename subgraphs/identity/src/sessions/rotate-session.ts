import type { AuthOrganization, AuthUser } from '@foyer/prisma/client';
import type { Id } from '@foyer/shared/ids';

import type { Context } from '../context.ts';
import { tokenHash } from '../tokens/tokens.ts';
import type { NamedPerson } from '../tenancy/person.ts';
import type { Standing } from './issue-tokens.ts';
import type { Presented } from './presented.ts';
import type { Family } from './rotation.ts';

/** A session whose refresh token was presented, as `auth.rotate_session` answers (prisma/models/identity.sql). */
export interface Rotated extends Family, Standing {
  /** Whether the token was exchanged; if not, the rest says why. */
  rotated: boolean;
  idpUserId: string;
  accountState: AuthUser['accountState'];
  passwordChangeRequired: boolean;
  organizationId: Id;
  slug: string;
  organizationStatus: AuthOrganization['status'];
  person: NamedPerson;
}

type Needs = Pick<Context, 'db' | 'tokens' | 'requestId'>;

/**
 * Exchanges the current refresh token of a session for its successor, unless its user may not stay. The hash decides a
 * race: exactly one of several simultaneous exchanges succeeds.
 *
 * @returns undefined when the session has ended
 */
export async function rotateSession(
  { db, tokens, requestId }: Needs,
  { userId, sessionId, hash }: Presented,
  successor: string,
  now: Date,
): Promise<Rotated | undefined> {
  const expiresAt = new Date(now.getTime() + tokens.refreshSeconds * 1_000);
  const [session] = await db.$queryRaw<Rotated[]>`
    SELECT rotated, token_hash AS "tokenHash", prev_hash AS "prevHash", rotated_at AS "rotatedAt",
           expires_at AS "expiresAt", idp_user_id AS "idpUserId", account_state AS "accountState",
           password_change_required AS "passwordChangeRequired", organization_id AS "organizationId", slug,
           organization_status AS "organizationStatus", role, not_before AS "notBefore", missed, person
    FROM auth.rotate_session(${sessionId}::uuid, ${userId}::uuid, ${hash}, ${tokenHash(successor)}, ${now},
      ${expiresAt}, ${requestId})`;
  return session;
}
