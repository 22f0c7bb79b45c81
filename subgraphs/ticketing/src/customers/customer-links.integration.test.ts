import type { Customer, CustomerLinkKind } from '@foyer/prisma/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Context } from '../context.ts';
import { changeCustomerPassword } from '../customer-passwords/change-customer-password.ts';
import { confirmCustomerPasswordReset } from '../customer-passwords/reset-customer-password.ts';
import { openScratchTicketing, type ScratchTicketing } from '../testing/scratch-ticketing.ts';
import { sweepCustomerRecordsWorker } from './sweep-customer-records.ts';
import { verifyCustomer } from './verify-customer.ts';

let now = new Date();
let ticketing: ScratchTicketing;
let context: Context;
/** What the directory of passwords was told. */
const told: string[] = [];

beforeAll(async () => {
  ticketing = await openScratchTicketing({ clock: { now: () => now } });
  const customerDirectory = {
    ...ticketing.context.customerDirectory,
    async createUser(custId: string) {
      told.push('create');
      return custId;
    },
    setPassword: async () => void told.push('set'),
    deleteUser: async () => void told.push('delete'),
  };
  context = { ...ticketing.context, customerDirectory };
}, 60_000);
afterAll(() => ticketing.stop());

const HOUR_MS = 3_600_000;
const password = 'Chosen-pass-1';
let count = 0;

const aCustomer = (differently: Partial<Customer> = {}) =>
  context.db.customer.create({ data: { email: `${(count += 1)}@customer.test`, fullName: 'Siti', ...differently } });
const withLogin = () => ({ hasLogin: true, idpUserId: crypto.randomUUID() });

/** Makes a link that is valid for an hour. @returns its token */
async function linkOf({ custId }: Customer, kind: CustomerLinkKind): Promise<string> {
  const expiresAt = new Date(now.getTime() + HOUR_MS);
  const link = await context.db.customerLink.create({ data: { kind, custId, expiresAt } });
  return new URL(context.customerLinks.urlOf(link)).searchParams.get('token') ?? '';
}

const kinds = {
  verify: {
    customer: () => aCustomer(),
    use: (token: string, needs = context): Promise<unknown> => verifyCustomer(needs, { token, password }),
  },
  reset: {
    customer: () => aCustomer(withLogin()),
    use: (token: string, needs = context): Promise<unknown> => confirmCustomerPasswordReset(needs, { token, password }),
  },
};
const { verify, reset } = kinds;

describe.each(['verify', 'reset'] as const)('a link to %s', (kind) => {
  const { customer, use } = kinds[kind];

  it('is valid until it expires, and not from then on', async () => {
    const [early, late] = [await linkOf(await customer(), kind), await linkOf(await customer(), kind)];
    const made = now.getTime();

    now = new Date(made + HOUR_MS - 1);
    expect(await use(early)).toBeTruthy();

    now = new Date(made + HOUR_MS);
    await expect(use(late)).rejects.toMatchObject({ reason: 'CUSTOMER_LINK_INVALID' });
  });

  it('stays valid when the identity provider was down', async () => {
    const token = await linkOf(await customer(), kind);
    const down = () => Promise.reject(new Error('the identity provider is down'));
    const customerDirectory = { ...context.customerDirectory, createUser: down, setPassword: down };

    await expect(use(token, { ...context, customerDirectory })).rejects.toThrow('is down');

    expect(await use(token)).toBeTruthy();
  });
});

it('who verifies an address after somebody else leaves nothing in the directory of passwords', async () => {
  const { email } = await aCustomer(withLogin());
  await context.db.customer.updateMany({ where: { email }, data: { emailVerifiedAt: now } });
  const token = await linkOf(await aCustomer({ email }), 'verify');
  told.length = 0;

  await expect(verify.use(token)).rejects.toMatchObject({ reason: 'CUSTOMER_LINK_INVALID' });

  expect(told).toEqual(['create', 'delete']);
});

describe('a customer who is disabled', () => {
  it('does not come back by verifying the address again', async () => {
    const { email } = await aCustomer({ ...withLogin(), isDisabled: true });
    const token = await linkOf(await aCustomer({ email }), 'verify');
    told.length = 0;

    await expect(verify.use(token)).rejects.toMatchObject({ reason: 'ACCOUNT_DISABLED' });

    expect(told).toEqual([]);
  });

  it('gets no new password by a link from before', async () => {
    const customer = await aCustomer(withLogin());
    const token = await linkOf(customer, 'reset');
    await context.db.customer.update({ where: { custId: customer.custId }, data: { isDisabled: true } });
    told.length = 0;

    await expect(reset.use(token)).rejects.toMatchObject({ reason: 'ACCOUNT_DISABLED' });

    expect(told).toEqual([]);
  });
});

it('a customer who changes the password makes the link void that somebody asked for meanwhile', async () => {
  const customer = await aCustomer(withLogin());
  const token = await linkOf(customer, 'reset');
  const ofSomebodyElse = await linkOf(await aCustomer(withLogin()), 'reset');
  const viewer = { kind: 'customer', custId: customer.custId, issuedAt: 0, expiresAt: 0 } as const;

  await changeCustomerPassword({ ...context, viewer }, { currentPassword: 'Chosen-pass-0', newPassword: password });

  await expect(reset.use(token)).rejects.toMatchObject({ reason: 'CUSTOMER_LINK_INVALID' });
  expect(await reset.use(ofSomebodyElse)).toBe(true);
});

it('links and sessions are deleted once they have expired, and not before', async () => {
  const { db } = context;
  const customer = await aCustomer(withLogin());
  const { custId } = customer;
  await linkOf(customer, 'reset');
  await db.customerSession.create({ data: { custId, expiresAt: new Date(now.getTime() + HOUR_MS) } });
  const kept = async () => [
    await db.customerLink.count({ where: { custId } }),
    await db.customerSession.count({ where: { custId } }),
  ];
  const sweep = () =>
    sweepCustomerRecordsWorker(context).run({} as never, { number: 1, last: false, id: '1', signal: context.signal });

  await sweep();
  expect(await kept()).toEqual([1, 1]);

  now = new Date(now.getTime() + HOUR_MS + 1);
  await sweep();
  expect(await kept()).toEqual([0, 0]);
});
