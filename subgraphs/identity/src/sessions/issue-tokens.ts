import type { Id } from '@foyer/shared/ids';

import { setTimeout as sleep } from 'node:timers/promises';

import type { Context } from '../context.ts';
import { findRoleOfUser } from '../permissions/find-role-of-user.ts';
import type { TokenHolder } from '../tokens/tokens.ts';
import { roleFallbacks } from './metrics.ts';

export interface IssuedTokens {
  accessToken: string;
  refreshToken: string;
  /** Of the access token, in seconds. */
  expiresIn: number;
  /** The role could not be read, so the token grants nothing. To be audited with the session. */
  roleMissed: boolean;
}

type Needs = Pick<Context, 'db' | 'clock' | 'log' | 'tokens'>;

/** The role in a token when the real one can't be read: it grants nothing. */
const FALLBACK_ROLE = 'member';
/** Short, so that the next refresh gets the real role soon. */
const FALLBACK_SECONDS = 60;
/** Two attempts stay within the documented limit of five seconds. */
const ROLE_TIMEOUT_MS = 2_400;
const ROLE_ATTEMPTS = 2;

/** Signs both tokens of a session, with the user's current role. */
export async function issueTokens(
  needs: Needs,
  holder: Omit<TokenHolder, 'organization'> & { organization: { id: Id; slug: string } },
): Promise<IssuedTokens> {
  const begun = needs.clock.now();
  const standing = await readStanding(needs, holder.userId, holder.organization.id);
  const role = standing?.role ?? FALLBACK_ROLE;
  const { accessSeconds } = needs.tokens;
  const expiresIn = role === FALLBACK_ROLE ? Math.min(FALLBACK_SECONDS, accessSeconds) : accessSeconds;
  const organization = { ...holder.organization, role };
  const issuedAt = standing?.issuedAt ?? wholeSeconds(begun);
  return {
    accessToken: await needs.tokens.signAccess({ ...holder, organization }, issuedAt, expiresIn),
    refreshToken: await needs.tokens.signRefresh(holder),
    expiresIn,
    roleMissed: standing === null,
  };
}

interface Standing {
  /** Null for somebody who is not a member. */
  role: string | null;
  /** In whole seconds since 1970. */
  issuedAt: number;
}

/** Null when both attempts fail or time out. */
async function readStanding(needs: Needs, userId: Id, organizationId: Id): Promise<Standing | null> {
  for (let attempt = 1; attempt <= ROLE_ATTEMPTS; attempt++) {
    try {
      return await Promise.race([lookUp(needs, userId, organizationId), timeout()]);
    } catch (error) {
      needs.log.error({ err: error, userId, attempt }, 'the role could not be read: the token grants nothing');
    }
  }
  roleFallbacks.inc();
  return null;
}

/**
 * Whoever changes what a token says locks the user's row (`end-sessions.ts`). We share a lock on it, so that we read
 * either the whole change with its block time, or finish before it.
 */
async function lookUp({ db, clock }: Needs, userId: Id, organizationId: Id): Promise<Standing> {
  return db.$transaction(
    async (tx) => {
      await tx.$executeRaw`
        SELECT set_config('statement_timeout', ${String(ROLE_TIMEOUT_MS)}, true)
        FROM auth.users WHERE id = ${userId}::uuid FOR SHARE`;
      const now = clock.now();
      const block = await tx.userBlock.findUnique({ where: { userId } });
      const found = await findRoleOfUser(tx, { userId, organizationId });
      // A token of the blocked second would be refused like the old ones.
      const issuedAt = Math.max(wholeSeconds(now), block ? wholeSeconds(block.notBefore) : 0);
      return { role: found?.role ?? null, issuedAt };
    },
    { timeout: ROLE_TIMEOUT_MS, maxWait: ROLE_TIMEOUT_MS },
  );
}

const wholeSeconds = (moment: Date) => Math.floor(moment.getTime() / 1_000);

async function timeout(): Promise<never> {
  await sleep(ROLE_TIMEOUT_MS, undefined, { ref: false });
  throw new Error('no role in time');
}
