import { isUuid } from '@foyer/shared/ids';
import { setTimeout as sleep } from 'node:timers/promises';

import type { TicketingDatabase } from '@foyer/prisma/ticketing';
import type { CustomerStandingOf } from '@foyer/shared/auth/authentication';
import type { Customer } from '@foyer/shared/auth/viewer';
import { LRUCache } from 'lru-cache';

type Needs = { db: Pick<TicketingDatabase, 'customer' | 'customerSession'> };

/** How old an answer may be: a session that ends elsewhere is refused here no later. */
const KEPT_MS = 2_000;
const REMEMBERED = 10_000;
/** No request waits longer for a database that does not answer. */
const LONGEST_MS = 2_000;

/**
 * Says what became of a customer's token since it was issued. A token of ours names its session, which must be there and
 * not have ended; one that the legacy half has signed names none, and counts unless all sessions were ended after it was
 * issued. None counts of a customer who is disabled. Of a customer who is not recorded here nothing is known: their token
 * is as good as its signature.
 *
 * @throws {Error} when the database does not answer
 */
export function openCustomerStanding({ db }: Needs): CustomerStandingOf {
  const asked = new LRUCache<string, Promise<'good' | 'revoked'>>({ max: REMEMBERED, ttl: KEPT_MS });
  return (bearer) => {
    const key = `${bearer.custId}\n${bearer.sessionId ?? ''}\n${bearer.issuedAt}`;
    const known = asked.get(key);
    if (known) return known;
    const standing = Promise.race([readStanding({ db }, bearer), tooLate()]);
    asked.set(key, standing);
    standing.catch(() => asked.delete(key));
    return standing;
  };
}

async function readStanding({ db }: Needs, { custId, sessionId, issuedAt }: Customer): Promise<'good' | 'revoked'> {
  if (sessionId !== undefined && !(isUuid(sessionId) && isUuid(custId))) return 'revoked';
  const [customer, session] = await Promise.all([
    isUuid(custId) ? db.customer.findUnique({ where: { custId } }) : null,
    sessionId === undefined ? null : db.customerSession.findUnique({ where: { id: sessionId, custId, endedAt: null } }),
  ]);
  if (customer?.isDisabled) return 'revoked';
  if (sessionId !== undefined) return session ? 'good' : 'revoked';
  return issuedAt * 1_000 < (customer?.tokensNotBefore?.getTime() ?? 0) ? 'revoked' : 'good';
}

async function tooLate(): Promise<never> {
  await sleep(LONGEST_MS, undefined, { ref: false });
  throw new Error('no answer in time');
}
