import type { IdentityDatabase } from '@foyer/prisma/identity';

import type { Context } from '../context.ts';
import type { TokenHolder } from '../tokens/tokens.ts';

export interface IssuedTokens {
  accessToken: string;
  refreshToken: string;
  /** Of the access token, in seconds. */
  expiresIn: number;
}

type Needs = Pick<Context, 'db' | 'clock' | 'log' | 'tokens'>;

/** What stands in a token when the role can't be read: it grants nothing. */
const FALLBACK_ROLE = 'member';
/** So that the next refresh heals it soon. */
const FALLBACK_SECONDS = 60;
const ROLE_TIMEOUT_MS = 5_000;
const ROLE_ATTEMPTS = 2;

/** Signs both tokens of a session, with the role that the user has now. */
export async function issueTokens(
  needs: Needs,
  holder: Omit<TokenHolder, 'organization'> & { organization: { id: string; slug: string } },
): Promise<IssuedTokens> {
  const role = (await readRole(needs, holder.userId, holder.organization.id)) ?? FALLBACK_ROLE;
  const expiresIn =
    role === FALLBACK_ROLE ? Math.min(FALLBACK_SECONDS, needs.tokens.accessSeconds) : needs.tokens.accessSeconds;
  const organization = { ...holder.organization, role };
  return {
    accessToken: await needs.tokens.signAccess(
      { ...holder, organization },
      await firstMoment(needs, holder.userId),
      expiresIn,
    ),
    refreshToken: await needs.tokens.signRefresh(holder),
    expiresIn,
  };
}

/** Now, or the user's block time when that is later: a token of the blocked second would be refused with the old ones. */
async function firstMoment({ db, clock }: Needs, userId: string): Promise<number> {
  const block = await db.userBlock.findUnique({ where: { userId } });
  const seconds = (moment: Date) => Math.floor(moment.getTime() / 1_000);
  return Math.max(seconds(clock.now()), block ? seconds(block.notBefore) : 0);
}

async function readRole({ db, log }: Needs, userId: string, organizationId: string): Promise<string | null> {
  const deadline = AbortSignal.timeout(ROLE_TIMEOUT_MS);
  for (let attempt = 1; attempt <= ROLE_ATTEMPTS && !deadline.aborted; attempt++) {
    try {
      return await Promise.race([roleOf(db, userId, organizationId), aborted(deadline)]);
    } catch (error) {
      log.error({ err: error, userId, attempt }, 'the role could not be read: the token grants nothing');
    }
  }
  return null;
}

async function roleOf(db: IdentityDatabase, userId: string, organizationId: string): Promise<string | null> {
  const member = await db.organizationMember.findUnique({
    where: { organizationId_userId: { organizationId, userId } },
  });
  return member?.roleId ?? null;
}

const aborted = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('no role in time')), { once: true });
  });
