import { openDatabase } from '@foyer/prisma/client';
import { databaseLine } from '@foyer/prisma/testing/database-line';
import { createTestDatabase } from '@foyer/prisma/testing/test-database';
import { databaseBusy } from '@foyer/shared/database-errors';
import { defineJob, worker } from '@foyer/shared/jobs/job';
import { openJobs, type JobQueue } from '@foyer/shared/jobs/jobs';
import { currentRequestId, loggingAbout, logOptions } from '@foyer/shared/telemetry/log';
import { pino } from 'pino';
import { register } from 'prom-client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';

const repair = defineJob({
  name: 'test.repair-chair',
  data: z.strictObject({ chair: z.string() }),
  retries: 1,
  retryDelaySeconds: 1,
});

/** The data and the log lines of the jobs. */
const seen: { data: unknown; requestId: string | undefined }[] = [];
const lines: Record<string, unknown>[] = [];
const log = pino(logOptions('info'), { write: (line: string) => void lines.push(JSON.parse(line)) });

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let jobs: JobQueue;
beforeAll(async () => {
  database = await createTestDatabase();
  jobs = await openJobs({ databaseUrl: database.url, log });
  const run = async (data: object & { chair: string }) => {
    log.info('deep within');
    seen.push({ data, requestId: currentRequestId() });
    if (data.chair === 'broken') throw new Error('no glue');
  };
  await jobs.register([worker(repair, run)]);
  await jobs.work();
});
afterAll(async () => {
  await jobs?.stop(5_000);
  await database?.drop();
});

const ask = (requestId: string, chair: string) => loggingAbout({ requestId }, () => jobs.enqueue(repair, { chair }));
const untilLine = (requestId: string, expected: object) =>
  vi.waitFor(() => expect(lines).toContainEqual(expect.objectContaining({ requestId, ...expected })), 20_000);

describe('a job', () => {
  it('knows the request that enqueued it, and gets nothing but its own data', async () => {
    await ask('request-1', 'wobbly');

    await untilLine('request-1', { msg: 'job done' });
    expect(seen).toContainEqual({ data: { chair: 'wobbly' }, requestId: 'request-1' });
    expect(lines.find(({ msg }) => msg === 'deep within')).toMatchObject({
      requestId: 'request-1',
      job: 'test.repair-chair',
      jobId: expect.any(String),
    });
  });

  it('that no request enqueued has no request id', async () => {
    await jobs.enqueue(repair, { chair: 'by itself' });

    await vi.waitFor(() => expect(seen).toContainEqual({ data: { chair: 'by itself' }, requestId: undefined }), 20_000);
  });

  it('that fails is counted as failed while it is retried, and as dead at the last attempt', async () => {
    await ask('request-2', 'broken');

    await untilLine('request-2', { msg: 'job failed', attempt: 2, last: true });
    const counted = await register.metrics();
    for (const outcome of ['failed', 'dead'])
      expect(counted).toContain(`foyer_job_seconds_count{job="test.repair-chair",outcome="${outcome}"} 1`);
  });
});

describe('a job that starts later', () => {
  it('is run when it is due, also where another process has enqueued it', async () => {
    const elsewhere = await openJobs({ databaseUrl: database.url, log, enqueueOnly: true });
    await elsewhere.enqueue(repair, { chair: 'of tomorrow' }, { startAfter: new Date(Date.now() + 1_000) });
    await elsewhere.stop(0);

    await vi.waitFor(
      () => expect(seen).toContainEqual({ data: { chair: 'of tomorrow' }, requestId: undefined }),
      20_000,
    );
  });
});

it('a job that nobody takes waits for months, where one that has ended is deleted', async () => {
  const polish = defineJob({ ...repair, name: 'test.polish-chair' });
  const polished: string[] = [];
  const queue = await openJobs({
    databaseUrl: database.url,
    log,
    supervision: { heartbeatSeconds: 10, checkEverySeconds: 1 },
  });
  await queue.register([worker(polish, async ({ chair }: { chair: string }) => void polished.push(chair))]);
  await queue.enqueue(polish, { chair: 'done' });
  await queue.enqueue(polish, { chair: 'dusty' });
  const db = openDatabase(database.url);
  await db.$executeRaw`
    UPDATE pgboss.job SET state = 'completed', completed_on = now()
    WHERE name = ${polish.name} AND data->>'chair' = 'done'`;
  await db.$executeRaw`
    UPDATE pgboss.job SET created_on = created_on - interval '6 months', start_after = start_after - interval '6 months',
      completed_on = completed_on - interval '6 months', keep_until = keep_until - interval '6 months'
    WHERE name = ${polish.name}`;
  await db.$executeRaw`UPDATE pgboss.queue SET maintain_on = NULL`;
  const jobsOf = ({ name }: typeof polish) =>
    db.$queryRaw`SELECT data->>'chair' AS chair FROM pgboss.job WHERE name = ${name}`;
  await expect.poll(() => jobsOf(polish), { timeout: 30_000 }).not.toContainEqual({ chair: 'done' });

  await queue.work();

  await expect.poll(() => polished, { timeout: 30_000 }).toEqual(['dusty']);
  await queue.stop(0);
  await db.$disconnect();
});

it('enqueueing ends when the database hangs, with its connections open', async () => {
  const line = await databaseLine(database.url);
  const silence = { lookAfterMs: 100, answerMs: 3_000 }; // long enough for an answer of a busy machine
  const queue = await openJobs({ databaseUrl: line.url, log, enqueueOnly: true, silence });
  await queue.enqueue(repair, { chair: 'before' });
  line.breaks('silent');

  const thrown = await queue.enqueue(repair, { chair: 'lost' }).catch((error: unknown) => error);

  expect(databaseBusy(thrown)?.extensions).toMatchObject({ reason: 'DATABASE_BUSY', outcome: 'UNKNOWN' });
  await line.stop();
  await queue.stop(0);
});

describe('a queue that is drained', () => {
  const chair = { data: z.strictObject({}), retries: 0, retryDelaySeconds: 1 };
  const sand = defineJob({ ...chair, name: 'test.sand-chair' });
  const paint = defineJob({ ...chair, name: 'test.paint-chair' });

  it('lets running jobs end, and aborts those that take longer, which still record their state', async () => {
    const queue = await openJobs({ databaseUrl: database.url, log });
    const notes: string[] = [];
    const told = Promise.withResolvers<void>();
    await queue.register([
      worker(sand, async () => {
        notes.push('sanding');
        await told.promise;
        notes.push('sanded');
      }),
      worker(paint, async (_, { signal }) => {
        notes.push('painting');
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        await queue.enqueue(repair, { chair: 'half painted' });
        notes.push('half painted');
      }),
    ]);
    await queue.work();
    await queue.enqueue(sand, {});
    await queue.enqueue(paint, {});
    await vi.waitFor(() => expect(notes.toSorted()).toEqual(['painting', 'sanding']), 20_000);

    const drained = queue.drain(5_000);
    told.resolve();
    await drained;
    expect(notes.slice(2)).toEqual(['sanded', 'half painted']);
    await queue.stop(0);
    await vi.waitFor(
      () => expect(seen).toContainEqual({ data: { chair: 'half painted' }, requestId: undefined }),
      20_000,
    );
  });
});
