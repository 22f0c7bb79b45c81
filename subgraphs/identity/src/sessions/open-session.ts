import type { AuthOrganization, AuthUser } from '@foyer/prisma/client';
import type { IdentityDatabase } from '@foyer/prisma/identity';
import { newId, type Id } from '@foyer/shared/ids';

import type { Context } from '../context.ts';
import { tokenHash } from '../tokens/tokens.ts';
import { personOf, type NamedPerson } from '../tenancy/person.ts';
import type { Platform } from './deliver-tokens.ts';
import { signAccess, type Standing } from './issue-tokens.ts';
import { accountRefused, invalidCredentials, organizationDisabled, organizationPending } from './refusals.ts';

type Needs = Pick<Context, 'clock' | 'log' | 'tokens' | 'client' | 'requestId'> & {
  db: Pick<IdentityDatabase, '$queryRaw'>;
};

/** The longest stored User-Agent. */
const DEVICE_LIMIT = 300;

interface NewSession {
  id: Id;
  userId: Id;
  refreshToken: string;
  platform: Platform;
  /** The session at the identity provider. */
  idpSessionId: string | null;
  /** That of the user before the password was checked; undefined without a password. */
  sessionEpoch: number | undefined;
}

/** Whose session it is. */
type Holder = Pick<AuthUser, 'id' | 'idpUserId'> & Partial<Pick<AuthUser, 'sessionEpoch'>>;

/** The outcome of `auth.open_session` (prisma/models/identity.sql). */
interface Opened extends Standing {
  opened: boolean;
  accountState: AuthUser['accountState'];
  organizationId: Id;
  slug: string;
  organizationStatus: AuthOrganization['status'];
  person: NamedPerson;
}

/**
 * Opens a session and signs its first tokens.
 *
 * @throws {Refusal} `ORG_…`, `ACCOUNT_…`, `INVALID_CREDENTIALS`: what may have changed since the password check
 */
export async function openSession(
  needs: Needs,
  { user, ...session }: { user: Holder; platform: Platform; idpSessionId: string | null },
) {
  const asked = needs.clock.now();
  const holder = { userId: user.id, idpUserId: user.idpUserId, sessionId: newId() };
  const refreshToken = await needs.tokens.signRefresh(holder);
  const { id: userId, sessionEpoch } = user;
  const opened = await write(needs, { ...session, id: holder.sessionId, userId, sessionEpoch, refreshToken }, asked);
  assertOpened(opened);
  const organization = { id: opened.organizationId, slug: opened.slug };
  const access = await signAccess(needs, { ...holder, organization }, opened, asked);
  return { tokens: { ...access, refreshToken }, person: personOf(opened.person) };
}

async function write(
  { db, tokens, client, requestId }: Needs,
  { id, userId, sessionEpoch, refreshToken, platform, idpSessionId }: NewSession,
  now: Date,
): Promise<Opened | undefined> {
  const expiresAt = new Date(now.getTime() + tokens.refreshSeconds * 1_000);
  const [opened] = await db.$queryRaw<Opened[]>`
    SELECT opened, account_state AS "accountState", organization_id AS "organizationId", slug,
           organization_status AS "organizationStatus", role, not_before AS "notBefore", missed, person
    FROM auth.open_session(${id}::uuid, ${userId}::uuid, ${tokenHash(refreshToken)}, ${idpSessionId},
      ${platform === 'WEB' ? 'web' : 'mobile'}, ${client.userAgent.slice(0, DEVICE_LIMIT)}, ${client.address},
      ${now}, ${expiresAt}, ${requestId}, ${sessionEpoch ?? null}::int)`;
  return opened;
}

function assertOpened(opened: Opened | undefined): asserts opened is Opened {
  if (!opened) throw invalidCredentials();
  if (opened.organizationStatus === 'pending') throw organizationPending();
  if (opened.organizationStatus === 'disabled') throw organizationDisabled();
  if (opened.accountState !== 'active') throw accountRefused(opened.accountState);
  if (!opened.opened) throw invalidCredentials(); // the password may have been changed meanwhile
}
