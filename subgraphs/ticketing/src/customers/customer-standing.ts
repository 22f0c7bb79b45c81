import { isUuid } from '@foyer/shared/ids';
import { setTimeout as sleep } from 'node:timers/promises';

import type { TicketingDatabase } from '@foyer/prisma/ticketing';
import type { CustomerStandingOf } from '@foyer/shared/auth/authentication';
import type { Customer } from '@foyer/shared/auth/viewer';
import { LRUCache } from 'lru-cache';

type Needs = { db: Pick<TicketingDatabase, 'customer' | 'customerSession'> };

/** How long an answer is cached, and so how late a session that ended elsewhere is refused here. */
const KEPT_MS = 2_000;
const REMEMBERED = 10_000;
/** The longest wait for the database. */
const LONGEST_MS = 2_000;

/** What of a token decides. */
interface Bearer extends Pick<Customer, 'custId' | 'issuedAt'> {
  sessionId?: string | undefined;
}

/** Reads whether a customer's token is still valid. */
export type ReadCustomerStanding = (bearer: Bearer) => Promise<'good' | 'revoked'>;

/**
 * Checks whether a customer's token is still valid; an answer is kept for two seconds.
 *
 * @throws {Error} when there is no answer in time
 */
export function openCustomerStanding(read: ReadCustomerStanding): CustomerStandingOf {
  const lookups = new LRUCache<string, Promise<'good' | 'revoked'>>({ max: REMEMBERED, ttl: KEPT_MS });
  return (bearer) => {
    const key = `${bearer.custId}\n${bearer.sessionId ?? ''}\n${bearer.issuedAt}`;
    const known = lookups.get(key);
    if (known) return known;
    const standing = Promise.race([read(bearer), tooLate()]);
    lookups.set(key, standing);
    standing.catch(() => lookups.delete(key));
    return standing;
  };
}

/**
 * Reads it from the database. A token with a session is valid while the session exists and has not ended; a legacy token has
 * no session and is valid unless all sessions were ended after it was issued. The tokens of a disabled customer are invalid.
 * For a customer without a record here, the signature alone decides.
 */
export const customerStandingIn =
  ({ db }: Needs): ReadCustomerStanding =>
  async ({ custId, sessionId, issuedAt }) => {
    if (sessionId !== undefined && !(isUuid(sessionId) && isUuid(custId))) return 'revoked';
    const [customer, session] = await Promise.all([
      isUuid(custId) ? db.customer.findUnique({ where: { custId } }) : null,
      sessionId === undefined
        ? null
        : db.customerSession.findUnique({ where: { id: sessionId, custId, endedAt: null } }),
    ]);
    if (customer?.isDisabled) return 'revoked';
    if (sessionId !== undefined) return session ? 'good' : 'revoked';
    return issuedAt * 1_000 < (customer?.tokensNotBefore?.getTime() ?? 0) ? 'revoked' : 'good';
  };

async function tooLate(): Promise<never> {
  await sleep(LONGEST_MS, undefined, { ref: false });
  throw new Error('no answer in time');
}
