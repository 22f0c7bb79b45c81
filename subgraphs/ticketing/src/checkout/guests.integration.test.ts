import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import type { Context } from '../context.ts';
import { findCustomer } from '../customers/find-customer.ts';
import { openScratchTicketing, type ScratchTicketing } from '../testing/scratch-ticketing.ts';
import { nextWeek, createTicketGroupOnSale } from '../testing/storefront-fixture.ts';
import { admitBuyer } from '../limits/admit-buyer.ts';
import { createOrder } from './create-order.ts';
import { listMyOrders } from '../orders/list-orders.ts';

let ticketing: ScratchTicketing;
let context: Context;
let addresses = 0;

beforeAll(async () => {
  ticketing = await openScratchTicketing();
}, 60_000);
afterAll(() => ticketing.stop());
/** Another network each time. */
beforeEach(() => {
  addresses += 1;
  context = {
    ...ticketing.context,
    client: { address: `203.0.113.${addresses}`, userAgent: 'test' },
    settings: { ...ticketing.context.settings, openOrdersPerBuyer: 50, openOrdersPerAddress: 5 },
  };
});

async function anInput(more: object = {}) {
  const { ticketGroupId, itemId } = await createTicketGroupOnSale(ticketing.context.db, { dailyCapacity: 100 });
  return {
    ticketGroupId,
    admitDate: nextWeek(),
    buyerName: 'Siti Aminah',
    buyerEmail: 'Siti@example.my',
    items: [{ itemId, quantityBought: 1 }],
    ...more,
  };
}

async function aMember() {
  const { custId } = await ticketing.context.db.customer.create({
    data: { email: `${randomUUID()}@example.my`, fullName: 'Member', hasLogin: true, idpUserId: randomUUID() },
  });
  return { custId, viewer: { kind: 'customer', custId, issuedAt: 0, expiresAt: 0 } as const };
}

/** How many of the orders that somebody is about to place count against the limit of strangers at one address. */
async function countedFor(viewer: Context['viewer']): Promise<number> {
  let taken = 0;
  await admitBuyer({ ...context, viewer, limits: { take: async () => void (taken += 1) } });
  return taken;
}

const customerCount = () => ticketing.context.db.customer.count();
const ordersOf = (ticketGroupId: string) =>
  ticketing.context.db.orderTicketGroup.findMany({ where: { ticketGroupId: BigInt(ticketGroupId) } });

it('the token of an address that was registered and never verified is limited like a guest', async () => {
  const { custId } = await ticketing.context.db.customer.create({
    data: { email: `${randomUUID()}@example.my`, fullName: 'Registered' },
  });
  const registered = { kind: 'customer', custId, issuedAt: 0, expiresAt: 0 } as const;

  expect(await countedFor((await aMember()).viewer)).toBe(0);
  expect(await countedFor(registered)).toBe(1);
  expect(await countedFor(null)).toBe(1);
});

describe('an order that names no customer', () => {
  it('belongs to a guest, of whom only the order is kept', async () => {
    const order = await createOrder(context, { input: await anInput() });

    const guest = await ticketing.context.db.customer.findUniqueOrThrow({ where: { custId: order.custId } });
    expect(guest).toMatchObject({
      email: 'siti@example.my',
      fullName: 'Siti Aminah',
      hasLogin: false,
      idpUserId: null,
    });
    expect(
      await ticketing.context.db.orderTicketGroup.findUniqueOrThrow({ where: { orderNo: order.orderNo } }),
    ).toMatchObject({ custId: order.custId, transactionStatus: 'INITIATED', buyerEmail: 'Siti@example.my' });
  });

  it.each([null, '', '  '])('also when the client says %j', async (custId) => {
    const order = await createOrder(context, { input: await anInput({ custId }) });

    expect(await findCustomer(context, order.custId)).toMatchObject({ hasLogin: false, inFull: false });
  });

  it('belongs to the customer who is logged in', async () => {
    const { custId, viewer } = await aMember();

    expect((await createOrder({ ...context, viewer }, { input: await anInput() })).custId).toBe(custId);
  });

  it('never belongs to the account of the same address, and creates none', async () => {
    const { custId, viewer } = await aMember();
    const { email } = await ticketing.context.db.customer.findUniqueOrThrow({ where: { custId } });

    const order = await createOrder(context, { input: await anInput({ buyerEmail: email }) });

    expect(order.custId).not.toBe(custId);
    expect((await listMyOrders({ ...context, viewer }, {})).edges).toEqual([]);
    await expect(createOrder(context, { input: await anInput({ custId }) })).rejects.toMatchObject({
      reason: 'UNAUTHENTICATED',
    });
  });

  it('leaves no guest behind when it is sold out', async () => {
    const before = await customerCount();
    const { ticketGroupId, itemId } = await createTicketGroupOnSale(ticketing.context.db, { dailyCapacity: 1 });
    const input = await anInput({ ticketGroupId, items: [{ itemId, quantityBought: 1 }] });

    const settled = await Promise.allSettled(Array.from({ length: 4 }, () => createOrder(context, { input })));

    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await customerCount()).toBe(before + 1);
  });
});

describe('a guest’s request that is repeated', () => {
  const key = () => randomUUID();

  it('orders once, though it comes twenty times at the same moment', async () => {
    const [input, idempotencyKey, before] = [await anInput(), key(), await customerCount()];

    const orders = await Promise.all(Array.from({ length: 20 }, () => createOrder(context, { input, idempotencyKey })));
    orders.push(await createOrder(context, { input, idempotencyKey }));

    expect(new Set(orders.map(({ orderNo }) => orderNo)).size).toBe(1);
    expect(await ordersOf(input.ticketGroupId)).toHaveLength(1);
    expect(await customerCount()).toBe(before + 1);
  });

  it('is refused when it has another content under the same key', async () => {
    const [input, idempotencyKey] = [await anInput(), key()];
    await createOrder(context, { input, idempotencyKey });

    await expect(
      createOrder(context, { input: { ...input, buyerName: 'Siti binti Ali' }, idempotencyKey }),
    ).rejects.toMatchObject({ reason: 'IDEMPOTENCY_KEY_REUSED' });
  });

  it('is the same in another spelling of e-mail and language', async () => {
    const [input, idempotencyKey] = [await anInput({ langChosen: 'en' }), key()];
    const first = await createOrder(context, { input, idempotencyKey });

    const again = { ...input, langChosen: 'EN', buyerEmail: 'SITI@EXAMPLE.my' };
    expect(await createOrder(context, { input: again, idempotencyKey })).toMatchObject({ orderNo: first.orderNo });
  });

  it('belongs to another guest under another address: a key gives nobody somebody else’s order', async () => {
    const [input, idempotencyKey] = [await anInput(), key()];
    const [mine, theirs] = [
      await createOrder(context, { input, idempotencyKey }),
      await createOrder(context, { input: { ...input, buyerEmail: 'else@example.my' }, idempotencyKey }),
    ];

    expect(theirs.orderNo).not.toBe(mine.orderNo);
    expect(theirs.custId).not.toBe(mine.custId);
  });

  it('needs a key that nobody can guess', async () => {
    await expect(createOrder(context, { input: await anInput(), idempotencyKey: 'order-1' })).rejects.toMatchObject({
      reason: 'VALIDATION_FAILED',
      message: expect.stringContaining('such as a UUID'),
    });
  });
});

describe('the orders of a network that are not paid', () => {
  it('are limited for guests under any number of names: exactly five of twelve at the same moment pass', async () => {
    const inputs = await Promise.all(Array.from({ length: 12 }, () => anInput()));

    const settled = await Promise.allSettled(inputs.map((input) => createOrder(context, { input })));

    const refused = settled.filter((one) => one.status === 'rejected');
    expect(refused.map(({ reason }) => (reason as { reason: string }).reason)).toEqual(
      Array.from({ length: 7 }, () => 'TOO_MANY_OPEN_ORDERS'),
    );
  });

  it('are counted per network', async () => {
    for (let count = 0; count < 5; count++) await createOrder(context, { input: await anInput() });
    const neighbour = { ...context, client: { address: '198.51.100.7', userAgent: 'test' } };

    await expect(createOrder(context, { input: await anInput() })).rejects.toMatchObject({
      reason: 'TOO_MANY_OPEN_ORDERS',
    });
    await expect(createOrder(neighbour, { input: await anInput() })).resolves.toBeDefined();
  });

  it('allow another when one ends, whose network is then forgotten', async () => {
    const orders = [];
    for (let count = 0; count < 5; count++) orders.push(await createOrder(context, { input: await anInput() }));
    const [first] = orders;
    if (!first) throw new Error('no order');
    const where = { orderNo: first.orderNo };

    const ended = await ticketing.context.db.orderTicketGroup.update({ where, data: { transactionStatus: 'FAILED' } });

    expect([first.placedFrom, ended.placedFrom]).toEqual([context.client.address, null]);
    await expect(createOrder(context, { input: await anInput() })).resolves.toBeDefined();
  });

  it('are not counted for customers with an account, who have a limit of their own', async () => {
    const { viewer } = await aMember();

    for (let count = 0; count < 7; count++) {
      const order = await createOrder({ ...context, viewer }, { input: await anInput() });
      expect(order.placedFrom).toBeNull();
    }
  });
});
