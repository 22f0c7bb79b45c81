import { afterAll, beforeAll, expect, it, vi } from 'vitest';

import type { Context } from '../context.ts';
import { mediaFixture } from '../testing/media-fixture.ts';
import { openScratchMedia, type ScratchMedia } from '../testing/scratch-media.ts';
import { enqueueRun } from './enqueue-step.ts';
import { resumeProcessing } from './resume-processing.ts';
import { runStep } from './run-step.ts';

let server: ScratchMedia;
let needs: Context;
beforeAll(async () => {
  server = await openScratchMedia({}, { works: false });
  needs = server.media.contextFor({} as never) as Context;
});
afterAll(() => server.stop());

/** Adds an item whose processing is waiting. */
async function add(): Promise<number> {
  return server.db.$transaction(async (tx) => {
    const media = await tx.media.create({ data: mediaFixture({}) });
    await enqueueRun({ jobs: server.jobs }, tx, media);
    return media.id;
  });
}

/** A process whose clock is so many minutes ahead of the others', or behind them. */
const withClockAhead = (minutes: number): Context => ({
  ...needs,
  clock: { now: () => new Date(Date.now() + minutes * 60_000) },
});

/** Lets everything that happened to an item have happened earlier. */
const minutesPass = (id: number, minutes: number) => server.db.$executeRaw`
  UPDATE media.media SET created_at = created_at - make_interval(mins => ${minutes}::int),
    attempt_seen_at = attempt_seen_at - make_interval(mins => ${minutes}::int) WHERE id = ${id}`;

async function jobsOf(mediaId: number): Promise<number> {
  const [row] = await server.db.$queryRaw<{ count: bigint }[]>`
    SELECT count(*) FROM pgboss.job WHERE (data ->> 'mediaId')::int = ${mediaId}`;
  return Number(row?.count);
}

it('an item that waits in a long queue has one job, however long that takes', async () => {
  const id = await add();
  const warn = vi.spyOn(needs.log, 'warn');
  for (let time = 0; time < 3; time += 1) {
    await minutesPass(id, 11);
    await resumeProcessing(needs);
  }
  expect([await jobsOf(id), warn.mock.calls]).toEqual([1, []]);

  await server.db.$executeRaw`DELETE FROM pgboss.job WHERE (data ->> 'mediaId')::int = ${id}`;
  await minutesPass(id, 11);
  await resumeProcessing(needs);
  expect(await jobsOf(id)).toBe(1);
});

it('many items that wait for long are looked up in the long queue together', async () => {
  const ids = await Promise.all(Array.from({ length: 20 }, add));
  for (const id of ids) await minutesPass(id, 11);
  const looks = [vi.spyOn(needs.jobs, 'isWaiting'), vi.spyOn(needs.jobs, 'waitingWith')];

  await resumeProcessing(needs);

  expect(looks.flatMap(({ mock }) => mock.calls)).toHaveLength(1);
  expect(await Promise.all(ids.map(jobsOf))).toEqual(ids.map(() => 1));
});

it('an item whose attempt has died gets another job at once, whatever becomes of that of the attempt', async () => {
  const id = await add();
  await server.db.media.update({ where: { id }, data: { attemptId: 'dead', attemptSeenAt: new Date(0) } });
  await resumeProcessing(needs);
  expect(await jobsOf(id)).toBe(2);
});

it('an item whose attempt has died is not behind the many that wait for long', async () => {
  const long = { createdAt: new Date(0) };
  await server.db.media.createMany({ data: Array.from({ length: 150 }, () => mediaFixture(long)) });
  const id = await add();
  await server.db.media.update({ where: { id }, data: { attemptId: 'dead', attemptSeenAt: new Date(0) } });
  await resumeProcessing(needs);
  expect(await jobsOf(id)).toBe(2);
  await server.db.media.deleteMany({ where: long });
});

it('a file that has ended the process of each of forty attempts is given up', async () => {
  const id = await add();
  await server.db.media.update({ where: { id }, data: { tries: 40 } });
  const attempt = { id: 'one more', number: 1, last: false, signal: new AbortController().signal };

  await runStep(needs, 'move', { mediaId: id, run: 1 }, attempt, () => expect.fail('tried it again'));

  expect(await server.db.media.findUnique({ where: { id } })).toMatchObject({
    status: 'failed',
    transcodingStage: 'failed',
    failureReason: expect.stringContaining('40 times'),
  });
});

it('an attempt that gives signs of life keeps its item, whatever the clocks of the processes say', async () => {
  const id = await add();
  const attempt = { id: 'alive', number: 1, last: false, signal: new AbortController().signal };
  const behind = withClockAhead(-60);
  const works = runStep(behind, 'move', { mediaId: id, run: 1 }, attempt, async (task) => {
    for (const ahead of [withClockAhead(60), behind]) {
      await resumeProcessing(ahead);
      await runStep(ahead, 'move', { mediaId: id, run: 1 }, { ...attempt, id: 'other' }, () =>
        expect.fail('took it over'),
      );
      await task.write({}); // its sign of life
    }
    return {};
  });

  await expect(works).resolves.toBeUndefined();
});
