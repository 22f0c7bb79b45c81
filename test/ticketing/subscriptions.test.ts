import { openDatabase } from '@foyer/prisma/client';
import { beforeAll, describe, expect, it } from 'vitest';

import { payAtTheBank } from '../support/servers/bank.ts';
import { follow } from '../support/follow.ts';
import { createOrganization, type OrganizationFixture } from '../support/fixtures/organization.ts';
import { send, logInCustomer } from '../support/fixtures/people.ts';
import { sharedServer, type SharedServer } from '../support/servers/shared-server.ts';
import { aGuest, ask, day, nobody, onSale, order, orderInput } from '../support/fixtures/storefront.ts';
import { until } from '../support/until.ts';

/** Two processes on one database: subscriptions at the second follow changes at the first. */
let here: SharedServer;
let there: SharedServer;
let organization: OrganizationFixture;
/** A seller of the organization. */
let seller: { workspaceId: string };

beforeAll(async () => {
  [here, there] = await Promise.all([sharedServer('first'), sharedServer('second')]);
  organization = await createOrganization(here);
  seller = { workspaceId: organization.workspaceId };
});

/** Writes so many notifications to the recipients of an existing one; returns their titles. */
async function notifyLike(notificationId: string, count: number): Promise<string[]> {
  const db = openDatabase(here.databaseUrl);
  const { organizationId, workspaceId, performedBy, authorityLevel, type, message, date } =
    await db.notification.findUniqueOrThrow({ where: { notificationId: BigInt(notificationId) } });
  const titles = Array.from({ length: count }, (_, at) => `missed ${at + 1}`);
  for (const title of titles) {
    await db.notification.create({
      data: { organizationId, workspaceId, performedBy, authorityLevel, type, message, date, title },
    });
  }
  await db.$disconnect();
  return titles;
}

const DAYS = `subscription ($id: ID!, $dates: [Date!]!) {
  availabilityChanged(ticketGroupId: $id, dates: $dates) { date status remaining } }`;
const EVENTS = `subscription ($after: String) { notificationAdded(after: $after) { cursor node { title message } } }`;
const STATES = `subscription ($orderNo: String!, $email: String) {
  orderStatusChanged(orderNo: $orderNo, email: $email) { transactionStatus buyerEmail } }`;

describe('availabilityChanged', () => {
  it('reports in another process each place that is taken, also the last one', async () => {
    const offer = await onSale(here, organization.admin, { ...seller, group: { dailyCapacity: 2 } });
    const dates = [day(7)];
    const days = follow(there, DAYS, { id: offer.ticketGroupId, dates });
    expect(await days.next()).toEqual([{ date: day(7), status: 'AVAILABLE', remaining: 2 }]);

    const custId = await aGuest(here);
    expect((await order(here, orderInput(offer, custId))).status).toBe(200);
    expect(await days.next()).toEqual([{ date: day(7), status: 'AVAILABLE', remaining: 1 }]);
    expect((await order(here, orderInput(offer, custId))).status).toBe(200);
    expect(await days.next()).toEqual([{ date: day(7), status: 'SOLD_OUT', remaining: 0 }]);
    await days.leave();
  });

  it('is refused for an unknown group', async () => {
    const days = follow(there, DAYS, { id: '999999', dates: [day(7)] });
    await expect(days.next()).rejects.toMatchObject({ reason: 'TICKET_GROUP_NOT_FOUND' });
    await days.leave();
  });
});

describe('orderStatusChanged', () => {
  it('reports to a guest in another process the status of the order, and its payment', async () => {
    const offer = await onSale(here, organization.admin, seller);
    const placed = await order(here, orderInput(offer, await aGuest(here), { buyerEmail: 'tan@example.test' }));
    const { orderNo } = placed.json as { orderNo: string };
    const states = follow(there, STATES, { orderNo, email: 'TAN@example.test' });
    const stranger = follow(there, STATES, { orderNo, email: 'somebody@example.test' });
    const member = follow(
      there,
      STATES,
      { orderNo },
      { authorization: (await logInCustomer(there)).headers.authorization },
    );

    expect(await states.next()).toEqual({ transactionStatus: 'INITIATED', buyerEmail: 'tan@example.test' });
    await expect(stranger.next()).rejects.toMatchObject({ reason: 'ORDER_NOT_FOUND' });
    await expect(member.next()).rejects.toMatchObject({ reason: 'ORDER_NOT_FOUND' });
    await payAtTheBank(here, orderNo);
    const told = [await states.next()];
    if (told[0].transactionStatus === 'PENDING') told.push(await states.next());
    expect(told.at(-1)).toMatchObject({ transactionStatus: 'SUCCESS' });
    for (const stream of [states, stranger, member]) await stream.leave();
  });
});

describe('notificationAdded', () => {
  it('reports each order to staff in another process, and continues where a stream was left', async () => {
    const { admin } = organization;
    const authorization = { authorization: admin.headers.authorization };
    const free = await onSale(here, organization.admin, { ...seller, variant: { unitPriceSen: 0 } });
    const custId = await aGuest(here);
    const events = follow(there, EVENTS, {}, authorization);
    const first = events.next();
    // The moment when the stream begins is unknown: orders are placed until it reports one.
    const stop = { heard: false };
    void first.then(() => (stop.heard = true));
    await until('the first notification', async () => {
      await order(here, orderInput(free, custId), '/free');
      return stop.heard;
    });
    const { cursor, node } = await first;
    await events.leave();

    const missed = await order(here, orderInput(free, custId, { buyerName: 'Missed' }), '/free');
    const resumed = follow(there, EVENTS, { after: cursor }, authorization);
    let next = await resumed.next();
    while (!next.node.message.includes(missed.json.orderNo)) next = await resumed.next();

    expect(node).toMatchObject({ title: 'Free order' });
    expect(next.node.message).toContain('Missed');
    const { edges } = await ask(there, admin, '{ notifications(first: 1) { edges { cursor } } }');
    expect(next.cursor).toBe(edges[0].cursor);
    await resumed.leave();
  });

  it('loses none of 250 that were missed, though the gateway queues only one per reader, and reports each once', async () => {
    const { admin } = organization;
    const free = await onSale(here, organization.admin, { ...seller, variant: { unitPriceSen: 0 } });
    await order(here, orderInput(free, await aGuest(here)), '/free');
    const { edges } = await ask(
      there,
      admin,
      '{ notifications(first: 1) { edges { cursor node { notificationId } } } }',
    );
    const missed = await notifyLike(edges[0].node.notificationId, 250);

    const events = follow(there, EVENTS, { after: edges[0].cursor }, { authorization: admin.headers.authorization });
    const titles: string[] = [];
    while (titles.length < 250) titles.push((await events.next()).node.title);

    expect(titles).toEqual(missed);
    await events.leave();
  });

  it('is for staff only', async () => {
    const customer = await logInCustomer(there);
    const [stranger, buyer] = [
      follow(there, EVENTS, {}),
      follow(there, EVENTS, {}, { authorization: `Bearer ${customer.token}` }),
    ];
    await expect(stranger.next()).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    await expect(buyer.next()).rejects.toMatchObject({ code: 'FORBIDDEN' });
    for (const stream of [stranger, buyer]) await stream.leave();
  });
});

describe('notifications over REST', () => {
  it('are listed newest first, marked once for all, and gone once removed', async () => {
    const { admin } = organization;
    const free = await onSale(here, admin, { ...seller, variant: { unitPriceSen: 0 } });
    await order(here, orderInput(free, await aGuest(here), { buyerName: 'Earlier' }), '/free');
    await order(here, orderInput(free, await aGuest(here), { buyerName: 'Later' }), '/free');
    const listed = async () => (await send(here, 'GET', '/api/notifications', { headers: admin.headers })).json.data;
    const [later, earlier] = await listed();
    const mark = (body: object) => send(here, 'PUT', '/api/notification', { headers: admin.headers, body });

    expect([later.performedBy, earlier.performedBy, later.authorityLevel, later.type]).toEqual([
      'Later',
      'Earlier',
      'CUSTOMER',
      'Order',
    ]);
    expect(later.date).toMatch(/^\d{2}-\d{2}-\d{4} \d{2}:\d{2}:\d{2}$/);
    const { notificationId } = later;
    expect((await mark({ notificationId, isRead: true })).json).toEqual({ success: true, data: { success: true } });
    expect((await mark({ notificationId, isRead: true })).status).toBe(200);
    expect((await listed())[0]).toMatchObject({ notificationId, isRead: true });
    expect((await mark({ notificationId, isDeleted: true })).status).toBe(200);
    expect((await listed())[0].notificationId).toBe(earlier.notificationId);
    expect((await mark({ notificationId, isRead: true })).status).toBe(404);
    expect((await mark({ notificationId: earlier.notificationId, isRead: false })).status).toBe(400);
    expect((await mark({ notificationId: earlier.notificationId })).status).toBe(400);
    expect((await send(here, 'GET', '/api/notifications', nobody)).status).toBe(401);
  });
});
