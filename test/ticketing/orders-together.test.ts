import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startIdentityProvider, type EmbeddedIdentityProvider } from '@foyer/identity/simulators/identity-provider';
import { openDatabase } from '@foyer/prisma/client';
import { createTestDatabase, type TestDatabase } from '@foyer/prisma/testing/test-database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { somethingOnSale } from '../support/bank.ts';
import { closeHouse, openHouse, type House } from '../support/house.ts';
import { DEMO_PASSWORD, graphql, send } from '../support/people.ts';
import { standBeforeALock, unevenDays } from '../support/stage.ts';

let folder: string;
let database: TestDatabase;
let provider: EmbeddedIdentityProvider;
let houses: [House, House];
let db: ReturnType<typeof openDatabase>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-processes-'));
  const admin = { username: 'admin@foyer.test', password: DEMO_PASSWORD };
  [database, provider] = await Promise.all([
    createTestDatabase(),
    startIdentityProvider({ folder: join(folder, 'provider'), platform: { name: 'Foyer', admin } }),
  ]);
  db = openDatabase(database.url);
  const env = { DATABASE_URL: database.url, IDP_URL: provider.url, IDP_PAT_FILE: provider.tokenFile };
  houses = await Promise.all([openHouse(env), openHouse(env)]);
});
afterAll(async () => {
  for (const house of houses ?? []) await closeHouse(house);
  await db.$disconnect();
  await Promise.all([database.drop(), provider.stop()]);
  await rm(folder, { recursive: true, force: true });
});

/** What two processes sell of one day that has so many places, when all buyers come at once to both. */
async function aHotDay(places: number) {
  const { ticketGroupId, variant, admitDate } = await somethingOnSale(houses[0]);
  const day = { ticketGroupId: BigInt(ticketGroupId), admitDate: new Date(`${admitDate}T00:00:00Z`) };
  const { reserved } = await db.dailyCapacity.upsert({
    where: { ticketGroupId_admitDate: day },
    create: { ...day, capacity: places },
    update: {},
  });
  await db.dailyCapacity.update({ where: { ticketGroupId_admitDate: day }, data: { capacity: reserved + places } });
  const { data } = await graphql(
    houses[0],
    `
      mutation {
        registerGuestCustomer(input: { fullName: "Ali", email: "ali@example.test" }) {
          custId
        }
      }
    `,
  );
  const { custId } = data.registerGuestCustomer as { custId: string };
  const items = [{ itemId: variant.itemId, unitPrice: variant.unitPrice, quantityBought: 1 }];
  const body = { ticketGroupId, custId, admitDate, items, buyerName: 'Ali', buyerEmail: 'ali@example.test' };
  return {
    day,
    buy: async (house: House) => {
      const { status, json } = await send(house, 'POST', '/api/orderTicketGroup', { body });
      return status === 200 ? (json.orderNo as string) : (json.code as string);
    },
    sold: async () =>
      (await db.dailyCapacity.findUniqueOrThrow({ where: { ticketGroupId_admitDate: day } })).reserved - reserved,
    orders: async () => (await db.orderTicketGroup.findMany({ where: { custId } })).map(({ orderNo }) => orderNo),
  };
}

describe('two processes that sell the same day', { timeout: 120_000 }, () => {
  it('sell each place once: thirty of a hundred buyers get one, seventy hear that it is sold out', async () => {
    const { buy, sold, orders } = await aHotDay(30);

    const answers = await Promise.all(Array.from({ length: 100 }, (_, index) => buy(houses[index % 2 ? 0 : 1])));

    const orderNos = answers.filter((answer) => answer.startsWith('ORD-'));
    expect(answers.filter((answer) => answer === 'SOLD_OUT')).toHaveLength(70);
    expect((await orders()).toSorted()).toEqual(orderNos.toSorted());
    expect(await sold()).toBe(30);
    expect(await unevenDays(db)).toEqual([]);
  });

  it('sell the last place once, when both have begun before either has taken it', async () => {
    const { buy, sold, day } = await aHotDay(1);

    const buyers = await db.$transaction(
      async (tx) => {
        await tx.$queryRaw`
          SELECT 1 FROM ticketing.daily_capacity
          WHERE ticket_group_id = ${day.ticketGroupId} AND admit_date = ${day.admitDate} FOR UPDATE`;
        const answers = houses.flatMap((house) => Array.from({ length: 5 }, () => buy(house)));
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

  it('lose no answered order and no place when one of them is killed in the middle', async () => {
    const { buy, sold, orders } = await aHotDay(200);

    const [first, second] = houses;
    const attempts = Array.from({ length: 120 }, (_, index) =>
      buy(index % 2 ? first : second).catch(() => 'no answer'),
    );
    await Promise.race(attempts); // some are answered, others are under way
    await first.kill();
    const answers = await Promise.all(attempts);
    houses = [await first.restart(), second];

    const written = new Set(await orders());
    expect(answers.filter((answer) => answer.startsWith('ORD-') && !written.has(answer))).toEqual([]);
    expect(answers).toContain('no answer');
    expect(await sold()).toBe(written.size);
    expect(await unevenDays(db)).toEqual([]);
  });
});
