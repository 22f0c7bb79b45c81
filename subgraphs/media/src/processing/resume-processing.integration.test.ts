import { afterAll, beforeAll, expect, it, vi } from 'vitest';

import type { Context } from '../context.ts';
import { mediaFixture } from '../testing/media-fixture.ts';
import { openScratchMedia, type ScratchMedia } from '../testing/scratch-media.ts';
import { enqueueRun } from './enqueue-step.ts';
import { resumeProcessing } from './resume-processing.ts';

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

const after = (minutes: number) => ({
  ...needs,
  clock: { now: () => new Date(Date.now() + minutes * 60_000) },
});

async function jobsOf(mediaId: number): Promise<number> {
  const [row] = await server.db.$queryRaw<{ count: bigint }[]>`
    SELECT count(*) FROM pgboss.job WHERE (data ->> 'mediaId')::int = ${mediaId}`;
  return Number(row?.count);
}

it('an item that waits in a long queue has one job, however long that takes', async () => {
  const id = await add();
  const warn = vi.spyOn(needs.log, 'warn');
  for (const minutes of [11, 22, 33]) await resumeProcessing(after(minutes));
  expect([await jobsOf(id), warn.mock.calls]).toEqual([1, []]);

  await server.db.$executeRaw`DELETE FROM pgboss.job WHERE (data ->> 'mediaId')::int = ${id}`;
  await resumeProcessing(after(44));
  expect(await jobsOf(id)).toBe(1);
});

it('an item whose attempt has died gets another job at once, whatever becomes of that of the attempt', async () => {
  const id = await add();
  await server.db.media.update({ where: { id }, data: { attemptId: 'dead', attemptSeenAt: new Date(0) } });
  await resumeProcessing(after(0));
  expect(await jobsOf(id)).toBe(2);
});
