import type { IdentityDatabase } from '@foyer/prisma/identity';
import type { Id } from '@foyer/shared/ids';

import type { Context } from '../context.ts';
import type { TokenHolder } from '../tokens/tokens.ts';
import { roleFallbacks } from './metrics.ts';

export interface IssuedTokens {
  accessToken: string;
  refreshToken: string;
  /** Of the access token, in seconds. */
  expiresIn: number;
}

/** What a token says of its user, as `auth.standing_of` reads it (prisma/models/identity.sql). */
export interface Standing {
  /** Null for somebody who is not a member. */
  role: string | null;
  /** The block time. */
  notBefore: Date | null;
  /** Why the role could not be read in the documented five seconds; then the token grants nothing. */
  missed: string | null;
}

type Needs = Pick<Context, 'log' | 'tokens'>;
type Holder = Omit<TokenHolder, 'organization'> & { organization: { id: Id; slug: string } };

/** The role in a token when the real one can't be read: it grants nothing. */
const FALLBACK_ROLE = 'member';
/** Short, so that the next refresh gets the real role soon. */
const FALLBACK_SECONDS = 60;

/** Reads what the next token of a user says, under a lock that whoever changes it respects. */
export async function readStanding(
  db: Pick<IdentityDatabase, '$queryRaw'>,
  userId: Id,
  organizationId: Id,
): Promise<Standing> {
  const [standing] = await db.$queryRaw<Standing[]>`
    SELECT role, not_before AS "notBefore", missed FROM auth.standing_of(${userId}::uuid, ${organizationId}::uuid)`;
  return standing ?? { role: null, notBefore: null, missed: 'no answer' };
}

/**
 * Signs an access token with the role of its user.
 *
 * @param asked the moment before the role was read: so a change that was committed since has a later block time
 */
export async function signAccess(
  { log, tokens }: Needs,
  { organization, ...holder }: Holder,
  { role, notBefore, missed }: Standing,
  asked: Date,
): Promise<Pick<IssuedTokens, 'accessToken' | 'expiresIn'>> {
  if (missed !== null) {
    log.error({ userId: holder.userId, missed }, 'the role could not be read: the token grants nothing');
    roleFallbacks.inc();
  }
  const expiresIn = role === null ? Math.min(FALLBACK_SECONDS, tokens.accessSeconds) : tokens.accessSeconds;
  // A token of the blocked second would be refused like the old ones.
  const issuedAt = Math.max(wholeSeconds(asked), notBefore ? wholeSeconds(notBefore) : 0);
  const claims = { ...holder, organization: { ...organization, role: role ?? FALLBACK_ROLE } };
  return { accessToken: await tokens.signAccess(claims, issuedAt, expiresIn), expiresIn };
}

const wholeSeconds = (moment: Date) => Math.floor(moment.getTime() / 1_000);
