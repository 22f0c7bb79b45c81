import type { Staff } from '@foyer/shared/auth/viewer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { setCustomerPassword } from '../customer-passwords/set-customer-password.ts';
import { openScratchTicketing, type ScratchTicketing } from '../testing/scratch-ticketing.ts';
import { endCustomerSessions, openCustomerSession } from './customer-session.ts';
import { customerStandingIn } from './customer-standing.ts';
import { setCustomerDisabled } from './disable-customer.ts';
import { logoutCustomer } from './logout-customer.ts';

let ticketing: ScratchTicketing;
beforeAll(async () => {
  ticketing = await openScratchTicketing();
}, 60_000);
afterAll(() => ticketing.stop());

let count = 0;
const aCustomer = () =>
  ticketing.context.db.customer.create({
    data: { email: `${(count += 1)}@customer.test`, fullName: 'Siti', hasLogin: true, idpUserId: crypto.randomUUID() },
  });
const custIdOf = ({ custId }: { custId: string }) => ({ where: { custId } });
/** How many of somebody's sessions have not ended. */
const openSessions = ({ custId }: { custId: string }) =>
  ticketing.context.db.customerSession.count({ where: { custId, endedAt: null } });

describe('a login whose password was checked', () => {
  it('opens no session when all sessions were ended meanwhile', async () => {
    const { context } = ticketing;
    const customer = await aCustomer();
    await context.db.$transaction((tx) => endCustomerSessions(tx, { custId: customer.custId, at: new Date() }));

    expect(await openCustomerSession(context, customer)).toBeNull();

    const again = await context.db.customer.findUniqueOrThrow(custIdOf(customer));
    expect(await openCustomerSession(context, again)).not.toBeNull();
  });

  it('opens no session of a customer who was disabled meanwhile', async () => {
    const { context } = ticketing;
    const customer = await aCustomer();
    await context.db.customer.update({ ...custIdOf(customer), data: { isDisabled: true } });

    expect(await openCustomerSession(context, customer)).toBeNull();
  });
});

it('a customer who is disabled and enabled again has none of the sessions from before', async () => {
  const { context } = ticketing;
  const [{ custId }, other] = [await aCustomer(), await aCustomer()];
  for (const who of [{ custId }, other])
    await openCustomerSession(context, await context.db.customer.findUniqueOrThrow(custIdOf(who)));
  const permissions = { ...context.permissions, onPlatform: async () => new Set(['org:manage']) };
  const operator = { ...context, permissions, viewer: { kind: 'staff', userId: 'operator' } as Staff };

  await setCustomerDisabled(operator, { custId, isDisabled: true });
  await setCustomerDisabled(operator, { custId, isDisabled: false });

  expect([await openSessions({ custId }), await openSessions(other)]).toEqual([0, 1]);
});

it('a customer who logs out with a token of the legacy system ends that token', async () => {
  const { context } = ticketing;
  const { custId } = await aCustomer();
  const issuedAt = Math.floor(Date.now() / 1_000) - 60;
  const standing = () => customerStandingIn(context)({ custId, issuedAt });
  expect(await standing()).toBe('good');

  const viewer = { kind: 'customer', custId, issuedAt, expiresAt: issuedAt + 3_600 } as const;
  await logoutCustomer({ ...context, viewer }, false);

  expect(await standing()).toBe('revoked');
});

describe('a new password of a customer', () => {
  const wanted = (idpUserId: string | null) => ({ idpUserId: idpUserId ?? '', password: 'Chosen-pass-1' });
  /** The directory of passwords, where something happens while a password is set. */
  const meanwhile = (happens: () => Promise<unknown>) => ({
    ...ticketing.context,
    customerDirectory: { ...ticketing.context.customerDirectory, setPassword: async () => void (await happens()) },
  });

  it('ends all their sessions and nobody else’s, also when the directory fails to say whether it has it', async () => {
    const [customer, other] = [await aCustomer(), await aCustomer()];
    for (const someone of [customer, other]) await openCustomerSession(ticketing.context, someone);
    const needs = meanwhile(() => Promise.reject(new Error('no answer')));

    await expect(setCustomerPassword(needs, customer, wanted(customer.idpUserId))).rejects.toThrow('no answer');

    expect([await openSessions(customer), await openSessions(other)]).toEqual([0, 1]);
  });

  it('ends a session that the old password opened just before', async () => {
    const { context } = ticketing;
    const customer = await aCustomer();
    const needs = meanwhile(async () => {
      const current = await context.db.customer.findUniqueOrThrow(custIdOf(customer));
      expect(await openCustomerSession(context, current)).not.toBeNull();
    });

    await setCustomerPassword(needs, customer, wanted(customer.idpUserId));

    expect(await openSessions(customer)).toBe(0);
  });
});
