import { newId } from '@foyer/shared/ids';
import type { Customer } from '@foyer/shared/auth/viewer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startScratchDatabase, type ScratchDatabase } from '../testing/scratch-database.ts';
import { createGuest } from '../testing/storefront-fixture.ts';
import { endCustomerSessions } from './customer-session.ts';
import { customerStandingIn, openCustomerStanding } from './customer-standing.ts';

let scratch: ScratchDatabase;
beforeAll(async () => {
  scratch = await startScratchDatabase();
}, 120_000);
afterAll(() => scratch.stop());

/** Within the five seconds that are promised. */
const soon = { timeout: 5_000 };
const NOW = Math.floor(Date.now() / 1_000);
const bearerOf = (custId: string, differently: Partial<Customer> = {}): Customer => ({
  kind: 'customer',
  custId,
  issuedAt: NOW,
  expiresAt: NOW + 3_600,
  ...differently,
});

async function withSession() {
  const { db } = scratch;
  const custId = await createGuest(db);
  const { id: sessionId } = await db.customerSession.create({
    data: { custId, expiresAt: new Date(Date.now() + 3_600_000) },
  });
  return { custId, bearer: bearerOf(custId, { sessionId }) };
}

describe('the standing of a customer’s token', () => {
  it('is lost in every process when the session ends, also where it was just read', async () => {
    const processes = [
      openCustomerStanding(customerStandingIn(scratch)),
      openCustomerStanding(customerStandingIn(scratch)),
    ];
    const { custId, bearer } = await withSession();
    for (const standingOf of processes) expect(await standingOf(bearer)).toBe('good');

    await scratch.db.$transaction((tx) => endCustomerSessions(tx, { custId, at: new Date() }));
    for (const standingOf of processes) await expect.poll(() => standingOf(bearer), soon).toBe('revoked');
  });

  it('is lost by every token when the customer is disabled', async () => {
    const standingOf = openCustomerStanding(customerStandingIn(scratch));
    const { custId, bearer } = await withSession();
    await scratch.db.customer.update({ where: { custId }, data: { isDisabled: true } });
    expect(await standingOf(bearer)).toBe('revoked');
    expect(await standingOf(bearerOf(custId))).toBe('revoked');
  });

  it('is bound to the customer: the session of another one does not count', async () => {
    const standingOf = openCustomerStanding(customerStandingIn(scratch));
    const [one, other] = [await withSession(), await withSession()];
    expect(await standingOf({ ...one.bearer, custId: other.custId })).toBe('revoked');
  });

  it('without a session is lost when all sessions are ended', async () => {
    const standingOf = openCustomerStanding(customerStandingIn(scratch));
    const custId = await createGuest(scratch.db);
    await scratch.db.customer.update({ where: { custId }, data: { tokensNotBefore: new Date(NOW * 1_000) } });
    expect(await standingOf(bearerOf(custId, { issuedAt: NOW - 1 }))).toBe('revoked');
    expect(await standingOf(bearerOf(custId, { issuedAt: NOW }))).toBe('good');
  });

  it('depends on the signature alone for customers who are not recorded here', async () => {
    const standingOf = openCustomerStanding(customerStandingIn(scratch));
    for (const custId of [newId(), 'C-1001', '']) expect(await standingOf(bearerOf(custId))).toBe('good');
    expect(await standingOf(bearerOf('C-1001', { sessionId: newId() }))).toBe('revoked');
  });

  it('is read again after the database did not answer', async () => {
    let isDown = true;
    const { bearer } = await withSession();
    const db = {
      customer: scratch.db.customer,
      get customerSession() {
        if (isDown) throw new Error('the database is down');
        return scratch.db.customerSession;
      },
    };
    const standingOf = openCustomerStanding(customerStandingIn({ db }));
    await expect(standingOf(bearer)).rejects.toThrow('the database is down');
    isDown = false;
    expect(await standingOf(bearer)).toBe('good');
  });
});
