import { openDatabase } from '@foyer/prisma/client';
import { createTestDatabase } from '@foyer/prisma/testing/test-database';
import { defineJob, worker } from '@foyer/shared/jobs/job';
import { openJobs } from '@foyer/shared/jobs/jobs';
import { openLog } from '@foyer/shared/telemetry/log';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';

const log = openLog('silent');
const paint = defineJob({
  name: 'test.paint-chair',
  data: z.strictObject({ chair: z.string() }),
  retries: 1,
  retryDelaySeconds: 1,
});

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.drop());

it('jobs of a new version wait for its worker, which starts last', async () => {
  const { url: databaseUrl } = database;
  const db = openDatabase(databaseUrl);
  const identity = await openJobs({ databaseUrl, log, enqueueOnly: true });
  const media = await openJobs({ databaseUrl, log, enqueueOnly: true });
  await Promise.all([
    db.$transaction((tx) => identity.enqueue(paint, { chair: 'red' }, { within: tx })),
    media.enqueueAll(paint, [{ chair: 'blue' }, { chair: 'green' }]),
  ]);
  const undone = db.$transaction(async (tx) => {
    await media.enqueue(paint, { chair: 'none' }, { within: tx });
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');

  const started = await openJobs({ databaseUrl, log });
  const painted: string[] = [];
  await started.register([worker(paint, async ({ chair }: { chair: string }) => void painted.push(chair))]);
  await started.work();

  await expect.poll(() => painted.toSorted(), { timeout: 20_000 }).toEqual(['blue', 'green', 'red']);
  await Promise.all([identity, media, started].map((each) => each.stop(0)));
  await db.$disconnect();
});
