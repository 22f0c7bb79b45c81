import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ffmpeg } from '@foyer/media/testing/made-by-ffmpeg';
import { openDatabase } from '@foyer/prisma/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startProviderFixture, type ProviderFixture } from '../support/servers/provider-fixture.ts';
import { stopServerProcess, startServerProcess, type ServerProcess } from '../support/servers/server-process.ts';
import { ended, profileId, upload } from '../support/fixtures/media.ts';
import { send } from '../support/fixtures/people.ts';
import { until } from '../support/until.ts';
import { testVideo } from '../support/fixtures/video.ts';

let folder: string;
let provider: ProviderFixture;
let db: ReturnType<typeof openDatabase>;
let servers: ServerProcess[] = [];

/** Every start of ffmpeg, as a line of its arguments. */
const starts = async () => (await readFile(join(folder, 'starts.log'), 'utf8').catch(() => '')).split('\n');
const store = (...names: string[]) => join(folder, 'store', ...names);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-together-'));
  provider = await startProviderFixture();
  db = openDatabase(provider.databaseUrl);
  const program = join(folder, 'ffmpeg');
  await writeFile(program, `#!/bin/sh\necho "$@" >> ${folder}/starts.log\nexec ${await ffmpeg()} "$@"\n`);
  await chmod(program, 0o755);
  const env = {
    ...provider.env,
    MEDIA_DIR: store(),
    FFMPEG_PATH: program,
    PROCESSING_BEAT_MS: '1000', // a process that pauses for less than five of them is not taken for dead
    LOGIN_FLOOR_MS: '50',
  };
  servers = [await startServerProcess(env), await startServerProcess(env)];
});
afterAll(async () => {
  for (const server of servers) await stopServerProcess(server);
  await db.$disconnect();
  await provider.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Enqueues every job of processing a second time, as a queue does that has lost a worker. */
const giveOutTwice = () => db.$executeRaw`
  INSERT INTO pgboss.job (name, data, retry_limit, expire_seconds, policy, singleton_key)
  SELECT name, data, retry_limit, expire_seconds, policy, singleton_key || '-again'
    FROM pgboss.job one
   WHERE name IN ('media.normalize-media', 'media.make-thumbnail', 'media.transcode-media') AND state = 'active'
     AND singleton_key NOT LIKE '%-again'
     AND NOT EXISTS (SELECT 1 FROM pgboss.job other WHERE other.name = one.name AND other.data = one.data AND other.id <> one.id)`;

describe('two processes on one database and one store', () => {
  it('never do the same work, also when the queue delivers a job twice', async () => {
    const [one, other] = servers as [ServerProcess, ServerProcess];
    const file = await testVideo(folder, { seconds: 4 });
    const ladder = { transcodingProfileId: await profileId(one, 'Compact') };
    const uploaded = await Promise.all(
      [one, other, one, other].map((server, at) => upload(server, file, { folder: `together-${at}`, ...ladder })),
    );
    let again = 0;
    await until(
      'all to be done',
      async () => {
        again += await giveOutTwice();
        return (
          (await db.media.count({
            where: { transcodingStage: { in: ['done', 'failed'] }, folder: { startsWith: 'together' } },
          })) === 4
        );
      },
      { timeoutMs: 90_000, everyMs: 20 },
    );

    expect(again).toBeGreaterThan(0);
    for (const { id } of uploaded) {
      expect(await ended(one, id)).toMatchObject({ transcodingStage: 'done', status: 'ready' });
      const ladders = (await starts()).filter((line) => line.includes(`/${id}-`) && line.includes('hls_time'));
      expect(ladders).toHaveLength(1);
    }
  });

  it('take over from each other when one is killed', async () => {
    const [one, other] = servers as [ServerProcess, ServerProcess];
    const file = await testVideo(folder, { seconds: 8 });
    const ladder = { transcodingProfileId: await profileId(one, 'Compact') };
    const { id } = await upload(one, file, { folder: 'taken-over', ...ladder });
    await until(
      'its ladder to be made',
      async () => (await starts()).some((line) => line.includes(`/${id}-`) && line.includes('hls_time')),
      { everyMs: 10 },
    );
    const { attemptId } = await db.media.findUniqueOrThrow({ where: { id } });
    await one.kill();

    const media = await ended(other, id);
    expect(attemptId).not.toBeNull();
    expect(media).toMatchObject({ transcodingStage: 'done', manifestKey: expect.any(String) });
    servers[0] = await one.restart();
  });

  it('leave nothing of a media item that is deleted while its ladder is made', async () => {
    const [one] = servers as [ServerProcess, ServerProcess];
    const file = await testVideo(folder, { seconds: 8 });
    const ladder = { transcodingProfileId: await profileId(one, 'Compact') };
    const { id } = await upload(one, file, { folder: 'removed', ...ladder });
    await until(
      'its ladder to be made',
      async () => (await starts()).some((line) => line.includes(`/${id}-`) && line.includes('hls_time')),
      { everyMs: 10 },
    );

    // By the other process, which knows of the work only from the database.
    expect((await send(servers[1] as ServerProcess, 'DELETE', `/api/media/${id}`)).status).toBe(200);
    await until('the work to end', async () => {
      const work = await readdir(store('.work'), { recursive: true });
      return !work.some((name) => name.includes(`/${id}-`));
    });
    const left = await readdir(store('media', 'acme', 'removed'), { recursive: true, withFileTypes: true }).catch(
      () => [],
    );
    expect(left.filter((entry) => entry.isFile())).toEqual([]);
  });
});
