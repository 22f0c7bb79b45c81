import type { Prisma } from '@foyer/prisma/client';
import { openJobs, type JobQueue } from '@foyer/shared/jobs/jobs';
import { worker } from '@foyer/shared/jobs/job';
import { openLog } from '@foyer/shared/telemetry/log';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { readConfig } from '../config.ts';
import { mediaFixture } from '../testing/media-fixture.ts';
import { editor, openScratchMedia, operator, type ScratchMedia } from '../testing/scratch-media.ts';
import { enqueueRun } from './enqueue-step.ts';
import { moveMedia } from './jobs.ts';

let server: ScratchMedia;
let queue: JobQueue;

beforeAll(async () => {
  server = await openScratchMedia({}, { works: false });
  queue = server.jobs;
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.db.media.deleteMany();
  await server.db.$executeRaw`DELETE FROM pgboss.job WHERE name = 'media.move-media'`;
});

/** Adds an item whose processing is waiting. */
async function add(title: string, data: Partial<Prisma.MediaUncheckedCreateInput> = {}): Promise<string> {
  const { id } = await server.db.$transaction(async (tx) => {
    const media = await tx.media.create({ data: mediaFixture({ title, ...data }) });
    await enqueueRun({ jobs: queue }, tx, media);
    return media;
  });
  return String(id);
}

const setPriority = (id: string, priority: string, viewer = editor) =>
  server.ask(
    'mutation ($id: ID!, $priority: MediaPriority!) { setMediaPriority(id: $id, priority: $priority) { priority } }',
    { id, priority },
    viewer,
  );

/** Lets one worker do what waits; returns the titles in the order of their work. */
async function worked(count: number): Promise<string[]> {
  const done: number[] = [];
  const jobs = await openJobs({ databaseUrl: server.databaseUrl, log: openLog('silent') });
  await jobs.register([worker(moveMedia, async ({ mediaId }) => void done.push(mediaId))]);
  await jobs.work();
  await expect.poll(() => done.length, { timeout: 60_000 }).toBe(count);
  await jobs.stop(5_000);
  const rows = await server.db.media.findMany();
  return done.map((id) => rows.find((row) => row.id === id)?.title ?? '');
}

describe('the queue of processing', () => {
  it('lets organizations take turns, so that a large upload of one does not hold up the others', async () => {
    const other = { organizationId: 'o2', workspaceId: 'w2' };
    for (const at of [1, 2, 3, 4]) await add(`first ${at}`);
    for (const at of [1, 2]) await add(`second ${at}`, other);

    expect(await worked(6)).toEqual(['first 1', 'second 1', 'first 2', 'second 2', 'first 3', 'first 4']);
  });

  it('takes an urgent item before the others of its organization, and one that can wait after all', async () => {
    const other = { organizationId: 'o2', workspaceId: 'w2' };
    await add('can wait', { priority: 'LOW' });
    await add('one');
    await add('two');
    await add('urgent', { priority: 'HIGH' });
    await add('foreign', other);

    expect(await worked(5)).toEqual(['urgent', 'one', 'foreign', 'two', 'can wait']);
  });

  it('follows a priority that is changed while the item waits', async () => {
    const ids = [await add('one'), await add('two'), await add('three')];

    expect((await setPriority(ids[2] ?? '', 'HIGH')).data).toEqual({ setMediaPriority: { priority: 'HIGH' } });
    expect((await setPriority(ids[0] ?? '', 'LOW')).data).toEqual({ setMediaPriority: { priority: 'LOW' } });

    expect(await worked(3)).toEqual(['three', 'two', 'one']);
  });

  it('obeys only those who manage the media', async () => {
    const id = await add('hidden', { organizationId: 'o1', workspaceId: 'w2' });
    expect((await setPriority(id, 'HIGH')).errors?.[0]?.extensions['reason']).toBe('MEDIA_NOT_FOUND');
    expect((await setPriority('nonsense', 'HIGH', operator)).errors?.[0]?.extensions['reason']).toBe('MEDIA_NOT_FOUND');
  });

  it('keeps the priority of a prepared upload', async () => {
    const file = { title: 'x', originalName: 'x', fileName: 'x.bin', mediaType: 'other', fileSize: 1 };
    await server.prepare({ ...file, priority: 'HIGH' });
    expect(await server.db.uploadToken.findMany({ select: { priority: true } })).toEqual([{ priority: 'HIGH' }]);
  });
});

describe('MEDIA_CONCURRENCY', () => {
  const env = { MEDIA_DIR: '/tmp/x', HOOK_SECRET: 'x'.repeat(16), ASSET_BASE_URL: 'http://x', DATABASE_URL: 'x' };

  it('is one by default, and from 1 to 64', () => {
    expect(readConfig(env).processing.concurrency).toBe(1);
    expect(readConfig({ ...env, MEDIA_CONCURRENCY: '3' }).processing.concurrency).toBe(3);
    for (const wrong of ['0', '65', '1.5', 'x'])
      expect(() => readConfig({ ...env, MEDIA_CONCURRENCY: wrong })).toThrow('MEDIA_CONCURRENCY');
  });

  it.each([1, 3])('of %i is how many items one process works on at a time', async (concurrency) => {
    for (let at = 0; at < 5; at++) await add(`item ${at}`);
    let [now, most, done] = [0, 0, 0];
    const atLeast = Promise.withResolvers<void>();
    const jobs = await openJobs({ databaseUrl: server.databaseUrl, log: openLog('silent') });
    const work = async () => {
      now++;
      most = Math.max(most, now);
      if (now === concurrency) atLeast.resolve();
      await atLeast.promise;
      now--;
      done++;
    };
    await jobs.register([worker(moveMedia, work, { concurrency })]);
    await jobs.work();
    await expect.poll(() => done, { timeout: 60_000 }).toBe(5);
    await jobs.stop(5_000);

    expect(most).toBe(concurrency);
  });

  it('holds for every step of processing, and for nothing else', async () => {
    const three = await openScratchMedia({ MEDIA_CONCURRENCY: '3' });
    const parallel = three.media.workers.filter(({ concurrency }) => concurrency === 3).map(({ job }) => job.name);
    await three.stop();

    expect(parallel).toEqual([
      'media.move-media',
      'media.normalize-media',
      'media.probe-media',
      'media.make-thumbnail',
      'media.transcode-media',
    ]);
  });
});
