import { openDatabase } from '@foyer/prisma/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { variablesBeside } from '../support/second-server.ts';
import {
  stopServerProcess,
  startServerProcess,
  type ServerProcess,
  type Server,
} from '../support/servers/server-process.ts';
import { sharedServer, type SharedServer } from '../support/servers/shared-server.ts';
import { standBeforeALock, unevenDays } from '../support/servers/crash-fixture.ts';
import { acmeAdmin, aGuest, onSale, order, orderInput } from '../support/fixtures/storefront.ts';

let first: SharedServer;
let second: SharedServer;
let db: ReturnType<typeof openDatabase>;

beforeAll(async () => {
  [first, second] = await Promise.all([sharedServer('first'), sharedServer('second')]);
  db = openDatabase(first.databaseUrl);
});
afterAll(() => db.$disconnect());

/** The orders of one day with so many places, when all buyers order at once at all of these processes. */
async function aHotDay(places: number, { isFree = false } = {}) {
  const variant = isFree ? { unitPriceSen: 0 } : {};
  const offer = await onSale(first, await acmeAdmin(first), { group: { dailyCapacity: places }, variant });
  const custId = await aGuest(first);
  const input = orderInput(offer, custId);
  const day = { ticketGroupId: BigInt(offer.ticketGroupId), admitDate: new Date(`${input.admitDate}T00:00:00Z`) };
  await db.dailyCapacity.upsert({
    where: { ticketGroupId_admitDate: day },
    create: { ...day, capacity: places },
    update: {},
  });
  const buy = async (server: Server): Promise<string> => {
    const { status, json } = await order(server, input, isFree ? '/free' : '');
    if (status === 503) return buy(server);
    return status === 200 ? (json.orderNo as string) : (json.code as string);
  };
  return {
    day,
    buy,
    tickets: () => db.ticket.count({ where: day }),
    sold: async () => (await db.dailyCapacity.findUniqueOrThrow({ where: { ticketGroupId_admitDate: day } })).reserved,
    orders: async () => (await db.orderTicketGroup.findMany({ where: { custId } })).map(({ orderNo }) => orderNo),
  };
}

describe('two processes that sell the same day', () => {
  /** A day of this test only. */
  let third: ServerProcess | undefined;
  afterAll(() => stopServerProcess(third));

  it('sell each place once: thirty of a hundred buyers get one, seventy get SOLD_OUT', async () => {
    const { buy, sold, orders } = await aHotDay(30);

    const answers = await Promise.all(Array.from({ length: 100 }, (_, index) => buy(index % 2 ? first : second)));

    const orderNos = answers.filter((answer) => answer.startsWith('ORD-'));
    expect(answers.filter((answer) => answer === 'SOLD_OUT')).toHaveLength(70);
    expect((await orders()).toSorted()).toEqual(orderNos.toSorted());
    expect(await sold()).toBe(30);
    expect(await unevenDays(db)).toEqual([]);
  });

  it('give each free place once, with its ticket: twelve of thirty guests get one, nobody holds a place without', async () => {
    const { buy, sold, orders, tickets } = await aHotDay(12, { isFree: true });

    const answers = await Promise.all(Array.from({ length: 30 }, (_, index) => buy(index % 2 ? first : second)));

    const orderNos = answers.filter((answer) => answer.startsWith('ORD-'));
    expect(answers.filter((answer) => answer === 'SOLD_OUT')).toHaveLength(18);
    expect((await orders()).toSorted()).toEqual(orderNos.toSorted());
    expect([await sold(), await tickets()]).toEqual([12, 12]);
  });

  it('sell the last place once, when both have begun before either has taken it', async () => {
    const { buy, sold, day } = await aHotDay(1);

    const buyers = await db.$transaction(
      async (tx) => {
        await tx.$queryRaw`
          SELECT 1 FROM ticketing.daily_capacity
          WHERE ticket_group_id = ${day.ticketGroupId} AND admit_date = ${day.admitDate} FOR UPDATE`;
        const answers = [first, second].flatMap((server) => Array.from({ length: 5 }, () => buy(server)));
        await standBeforeALock(db, 2);
        return { answers };
      },
      { timeout: 30_000 },
    );

    const answers = await Promise.all(buyers.answers);
    expect(answers.filter((answer) => answer.startsWith('ORD-'))).toHaveLength(1);
    expect(answers.filter((answer) => answer === 'SOLD_OUT')).toHaveLength(9);
    expect(await sold()).toBe(1);
  });

  it.each([
    { kind: 'paid', isFree: false },
    { kind: 'free', isFree: true },
  ])('lose no confirmed $kind order and no place when one of them is killed in the middle', async ({ isFree }) => {
    const { buy, sold, orders, tickets } = await aHotDay(200, { isFree });

    await stopServerProcess(third);
    third = await startServerProcess({ ...(await variablesBeside(first)), RATE_LIMITS: 'off' });
    const killed = third;
    const attempts = Array.from({ length: 120 }, (_, index) =>
      buy(index % 2 ? killed : second).catch(() => 'no answer'),
    );
    await Promise.race(attempts); // some are answered, others are under way
    await killed.kill();
    const answers = await Promise.all(attempts);

    const written = new Set(await orders());
    expect(answers.filter((answer) => answer.startsWith('ORD-') && !written.has(answer))).toEqual([]);
    expect(answers).toContain('no answer');
    expect([await sold(), await tickets()]).toEqual([written.size, isFree ? written.size : 0]);
    expect(await unevenDays(db)).toEqual([]);
  });
});
