import { systemClock } from '@foyer/shared/clock';
import { openLog } from '@foyer/shared/telemetry/log';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { startTestIdentity, type TestIdentity } from '../testing/test-identity.ts';
import { sweepExpired } from './sweep-expired.ts';

let identity: TestIdentity;
beforeAll(async () => {
  identity = await startTestIdentity();
});
afterAll(() => identity.stop());

it('the sweeper does not wait for a login, which may wait for what it has deleted', async () => {
  const { db } = identity;
  const past = new Date(Date.now() - 3_600_000);
  const buckets = ['first', 'second'];
  await db.rateLimit.createMany({
    data: buckets.map((bucket) => ({ bucket, windowStartedAt: past, expiresAt: past })),
  });

  await db.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT * FROM auth.take_attempts(ARRAY['first'], ARRAY[5], ARRAY[now() + interval '1 hour'], now())`;
    await sweepExpired({ db, clock: systemClock, log: openLog('silent'), tokens: { accessSeconds: 900 } as never });
  });

  expect(await db.rateLimit.findMany({ where: { bucket: { in: buckets } } })).toMatchObject([{ bucket: 'first' }]);
});
