import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createBuyer } from '../testing/buyer-fixture.ts';
import { openScratchTicketing, type ScratchTicketing } from '../testing/scratch-ticketing.ts';
import { mailRetries } from './mail-retries.ts';
import { sweepDeliveries } from './sweep-deliveries.ts';

let ticketing: ScratchTicketing;
let buyer: ReturnType<typeof createBuyer>;
beforeAll(async () => {
  ticketing = await openScratchTicketing();
  buyer = createBuyer(ticketing.context, ticketing.bankUrl);
}, 60_000);
afterAll(() => ticketing.stop());

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

/** A paid order whose mail has been due for so many minutes, and has lost its job. */
async function anOrderWithoutJob(owedForMinutes: number, triedMinutesAgo?: number) {
  const { orderNo } = await buyer.orders();
  await buyer.pays(orderNo);
  await buyer.returns(await buyer.bank(orderNo, 'approve'));
  const [owed] = (await buyer.order(orderNo)).deliveries;
  const deliveryId = owed?.deliveryId ?? 0n;
  await ticketing.context.db.$executeRaw`DELETE FROM pgboss.job WHERE data->>'deliveryId' = ${String(deliveryId)}`;
  const triedAt = triedMinutesAgo === undefined ? null : minutesAgo(triedMinutesAgo);
  const data = { createdAt: minutesAgo(owedForMinutes), triedAt };
  await ticketing.context.db.delivery.update({ where: { deliveryId }, data });
  return deliveryId;
}

const jobsOf = async (deliveryId: bigint) =>
  (
    await ticketing.context.db.$queryRaw<{ name: string }[]>`
      SELECT name FROM pgboss.job WHERE data->>'deliveryId' = ${String(deliveryId)}`
  ).map(({ name }) => name);

describe('a mail that is due and whose job is lost', () => {
  it('gets one new job, however many processes look for it', async () => {
    const deliveryId = await anOrderWithoutJob(60);
    expect(await jobsOf(deliveryId)).toEqual([]);

    await Promise.all([sweepDeliveries(ticketing.context), sweepDeliveries(ticketing.context)]);
    await sweepDeliveries(ticketing.context);

    expect(await jobsOf(deliveryId)).toEqual(['ticketing.send-confirmation']);
  });

  it.each([
    ['it is not owed for long', 20, undefined],
    ['it was tried not long ago', 600, 31],
  ])('is left to the job that it still has when %s', async (_why, owed, tried) => {
    const deliveryId = await anOrderWithoutJob(owed, tried);

    await sweepDeliveries(ticketing.context);

    expect(await jobsOf(deliveryId)).toEqual([]);
  });

  it('is left alone when it is sent', async () => {
    const deliveryId = await anOrderWithoutJob(60);
    await ticketing.context.db.delivery.update({ where: { deliveryId }, data: { state: 'SENT', sentAt: new Date() } });

    await sweepDeliveries(ticketing.context);

    expect(await jobsOf(deliveryId)).toEqual([]);
  });
});

describe('the retries of a mail', () => {
  it('begins after five seconds, doubles, never pauses for more than half an hour, and lasts a day', () => {
    const { retries, retryDelaySeconds, retryDelayMaxSeconds } = mailRetries;
    const pauses = Array.from({ length: retries }, (_, at) =>
      Math.min(retryDelaySeconds * 2 ** at, retryDelayMaxSeconds),
    );

    expect(pauses.slice(0, 3)).toEqual([5, 10, 20]);
    expect(Math.max(...pauses)).toBe(30 * 60);
    expect(Math.round(pauses.reduce((sum, pause) => sum + pause, 0) / 3_600)).toBe(24);
  });
});
