import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { aBuyer } from '../testing/buyer-fixture.ts';
import { openScratchTicketing, type ScratchTicketing } from '../testing/scratch-ticketing.ts';
import { patience } from './patience.ts';
import { sweepDeliveries } from './sweep-deliveries.ts';

let house: ScratchTicketing;
let buyer: ReturnType<typeof aBuyer>;
beforeAll(async () => {
  house = await openScratchTicketing();
  buyer = aBuyer(house.context, house.bankUrl);
}, 60_000);
afterAll(() => house.stop());

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

/** A paid order whose mail is owed since so many minutes, and has lost its job. */
async function anOrderWithoutJob(owedForMinutes: number, triedMinutesAgo?: number) {
  const { orderNo } = await buyer.orders();
  await buyer.pays(orderNo);
  await buyer.returns(await buyer.bank(orderNo, 'approve'));
  const [owed] = (await buyer.order(orderNo)).deliveries;
  const deliveryId = owed?.deliveryId ?? 0n;
  await house.context.db.$executeRaw`DELETE FROM pgboss.job WHERE data->>'deliveryId' = ${String(deliveryId)}`;
  const triedAt = triedMinutesAgo === undefined ? null : minutesAgo(triedMinutesAgo);
  const data = { createdAt: minutesAgo(owedForMinutes), triedAt };
  await house.context.db.delivery.update({ where: { deliveryId }, data });
  return deliveryId;
}

const jobsOf = async (deliveryId: bigint) =>
  (
    await house.context.db.$queryRaw<{ name: string }[]>`
      SELECT name FROM pgboss.job WHERE data->>'deliveryId' = ${String(deliveryId)}`
  ).map(({ name }) => name);

describe('a mail that is owed, and whose job is lost', () => {
  it('gets a job again, one, however many look for it', async () => {
    const deliveryId = await anOrderWithoutJob(60);
    expect(await jobsOf(deliveryId)).toEqual([]);

    await Promise.all([sweepDeliveries(house.context), sweepDeliveries(house.context)]);
    await sweepDeliveries(house.context);

    expect(await jobsOf(deliveryId)).toEqual(['ticketing.send-confirmation']);
  });

  it.each([
    ['it is not owed for long', 20, undefined],
    ['it was tried not long ago', 600, 31],
  ])('is left to the job that it must still have when %s', async (_why, owed, tried) => {
    const deliveryId = await anOrderWithoutJob(owed, tried);

    await sweepDeliveries(house.context);

    expect(await jobsOf(deliveryId)).toEqual([]);
  });

  it('is left alone when it is sent', async () => {
    const deliveryId = await anOrderWithoutJob(60);
    await house.context.db.delivery.update({ where: { deliveryId }, data: { state: 'SENT', sentAt: new Date() } });

    await sweepDeliveries(house.context);

    expect(await jobsOf(deliveryId)).toEqual([]);
  });
});

describe('the patience with a mail server', () => {
  it('begins after five seconds, doubles, never pauses for more than half an hour, and lasts a day', () => {
    const { retries, retryDelaySeconds, retryDelayMaxSeconds } = patience;
    const pauses = Array.from({ length: retries }, (_, at) =>
      Math.min(retryDelaySeconds * 2 ** at, retryDelayMaxSeconds),
    );

    expect(pauses.slice(0, 3)).toEqual([5, 10, 20]);
    expect(Math.max(...pauses)).toBe(30 * 60);
    expect(Math.round(pauses.reduce((sum, pause) => sum + pause, 0) / 3_600)).toBe(24);
  });
});
