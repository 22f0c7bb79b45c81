import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { CannotRead } from '#ports/transcoder.ts';
import { onDisk, openSmallLibrary, memberOf } from '../testing/library-fixture.ts';
import { startMediaServer } from '../testing/media-server.ts';
import { packaged } from '../testing/own-tools.ts';
import { openScratchMedia, type ScratchMedia } from '../testing/scratch-media.ts';
import { cancelProcessing } from './cancel-processing.ts';
import { resumeProcessing } from './resume-processing.ts';
import { retryMedia } from './retry-media.ts';

const CANCEL = 'mutation ($id: ID!) { cancelProcessing(id: $id) { transcodingStage cancelled } }';
const PROCESS = 'mutation ($id: ID!) { processMedia(id: $id) { transcodingStage cancelled } }';
const MEDIA = `query ($id: ID!) { media(id: $id) {
  status transcodingStage cancelled failureReason manifestKey smilKey storageKey } }`;

describe('a film whose ladder takes for ever', () => {
  let server: ScratchMedia;
  /** It has the same database and store, and runs no jobs. */
  let other: Awaited<ReturnType<typeof startMediaServer>>;
  let files: string;
  beforeAll(async () => {
    files = await mkdtemp(join(tmpdir(), 'foyer-cancel-'));
    const { ffmpeg } = await packaged();
    // An ffmpeg that notes its process id, and makes no ladder until the file `go` is there.
    const slow = join(files, 'ffmpeg');
    const hls = `*hls_time*) [ -e ${files}/go ] || { echo $$ > ${files}/begun; mv ${files}/begun ${files}/pid; exec sleep 600; };;`;
    await writeFile(slow, `#!/bin/sh\ncase " $* " in ${hls} esac\nexec ${ffmpeg} "$@"\n`, { mode: 0o755 });
    const film = ['-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=10:d=1', '-c:v', 'libx264', '-pix_fmt', 'yuv420p'];
    execFileSync(ffmpeg, ['-v', 'error', '-y', ...film, join(files, 'film.mp4')]);
    server = await openScratchMedia({ FFMPEG_PATH: slow, PROCESSING_BEAT_MS: '100' });
    const { databaseUrl, folder } = server;
    other = await startMediaServer({ databaseUrl, folder, works: false, env: { PROCESSING_BEAT_MS: '100' } });
  });
  afterAll(async () => {
    await other.stop();
    await server.stop();
    await rm(files, { recursive: true, force: true });
  });

  const at = async (id: string) => (await server.ask(MEDIA, { id })).data?.['media'] as Record<string, unknown>;
  const stageIs = (id: string, stage: string) => async () => (await at(id))['transcodingStage'] === stage;

  it.each(['its own process', 'another process'])(
    'ends with its program when %s is told to cancel it',
    async (which) => {
      await rm(join(files, 'go'), { force: true });
      await rm(join(files, 'pid'), { force: true });
      const told = which === 'another process' ? other : server;
      const profile = await server.db.transcodingProfile.findFirstOrThrow({
        where: { name: { startsWith: 'Compact' } },
      });
      const fileSize = (await stat(join(files, 'film.mp4'))).size;
      const fileName = `${which.split(' ')[0]}.mp4`;
      const names = { title: 'Film', originalName: fileName, fileName, fileSize };
      const url = await server.upload(
        join(files, 'film.mp4'),
        await server.prepare({ ...names, transcodingProfileId: String(profile.id) }),
      );
      const row = await server.db.media.findUniqueOrThrow({ where: { uploadId: url.split('/').at(-1) ?? '' } });
      const id = String(row.id);
      await vi.waitUntil(() => existsSync(join(files, 'pid')));
      const pid = (await readFile(join(files, 'pid'), 'utf8')).trim();

      const { data, errors } = await told.ask(CANCEL, { id });
      expect(errors).toBeUndefined();
      expect(data).toMatchObject({ cancelProcessing: { cancelled: true } });
      await vi.waitUntil(stageIs(id, 'failed'));
      expect(await at(id)).toMatchObject({
        status: 'ready',
        cancelled: true,
        failureReason: 'Processing was cancelled.',
        manifestKey: null,
        smilKey: null,
      });
      await vi.waitUntil(() => !existsSync(`/proc/${pid}`));
      const recorded = await server.db.storedObject.findMany({ where: { mediaId: row.id } });
      expect(recorded.filter(({ key }) => /\/(hls|smil)\//.test(key))).toEqual([]);

      // Nothing of the ladder is left, and it can be processed again.
      const again = await told.ask(CANCEL, { id });
      expect(again.errors?.[0]?.extensions).toMatchObject({ code: 'CONFLICT', reason: 'PROCESSING_ENDED' });

      await writeFile(join(files, 'go'), '');
      expect((await told.ask(PROCESS, { id })).data).toMatchObject({ processMedia: { cancelled: false } });
      await vi.waitUntil(stageIs(id, 'done'));
      expect(await at(id)).toMatchObject({ failureReason: null, manifestKey: expect.any(String) });
    },
  );
});

describe('cancelling', () => {
  let library: Awaited<ReturnType<typeof openSmallLibrary>>;
  const viewer = memberOf(1);
  beforeAll(async () => {
    library = await openSmallLibrary(onDisk);
  });
  afterAll(() => library.close());

  const aFilm = (folder: string, bytes = 'film') =>
    library.upload(viewer, bytes, { mediaType: 'video', fileName: 'film.mp4', folder, transcodingProfileId: '1' });
  const cancel = (id: number) => cancelProcessing(library.as(viewer), { id: String(id) });
  const rowOf = (id: number) => library.db.media.findUniqueOrThrow({ where: { id } });
  const failed = { transcodingStage: 'failed', failureReason: 'Processing was cancelled.', attemptId: null };

  it('ends a run that waits in the queue at once; its job then does nothing', async () => {
    const id = await aFilm('waiting');
    expect(await cancel(id)).toMatchObject({ ...failed, status: 'failed' });
    await library.work();
    expect(await rowOf(id)).toMatchObject(failed);
  });

  it('ends a run whose process has died as soon as anybody notices', async () => {
    const id = await aFilm('dead');
    await library.db.media.update({ where: { id }, data: { attemptId: 'dead', attemptSeenAt: new Date() } });
    expect(await cancel(id)).toMatchObject({ transcodingStage: 'queued', cancelledRun: 1 });
    await library.db.media.update({ where: { id }, data: { attemptSeenAt: new Date(0) } });
    await resumeProcessing(library.needs);
    await library.work();
    expect(await rowOf(id)).toMatchObject(failed);
  });

  it('does not make the next run normalize a file again that was replaced before its process died', async () => {
    const { store, transcoder } = library.needs;
    const { putFile } = store;
    const { probe } = transcoder;
    const mp4 = { format: { format_name: 'mov,mp4', duration: '8' } };
    transcoder.probe = async (...given) => Object.assign((await probe(...given)) as object, mp4);
    const id = await aFilm('normalized', '....ftypisom and a film');
    const replaced: string[] = [];
    store.putFile = async (key, file) => {
      const stored = await putFile(key, file);
      if (key.endsWith('film.mp4') && replaced.push(key) === 1) throw new Error('killed');
      return stored;
    };
    await expect(library.workAndBreak(Infinity)).rejects.toThrow('killed');
    await cancel(id);
    await retryMedia(library.needs, id);
    await library.work();
    store.putFile = putFile;
    transcoder.probe = probe;

    expect(replaced).toHaveLength(1);
    const { storageKey, ...row } = await rowOf(id);
    const { etag } = (await store.stat(storageKey)) ?? {};
    expect(row).toMatchObject({ transcodingStage: 'done', normalizedKey: storageKey, etag });
  });

  /** Starts a run that makes the ladder of a film again. */
  async function makeLadderAgain(id: number): Promise<void> {
    const dead = { attemptId: 'dead', attemptSeenAt: new Date(0) };
    await library.db.media.update({ where: { id }, data: { transcodingStage: 'queued', run: 2, ...dead } });
    await library.db.processingCheckpoint.createMany({
      data: (['move', 'normalize', 'probe', 'thumbnail'] as const).map((step) => ({ mediaId: id, run: 2, step })),
    });
    await resumeProcessing(library.needs);
  }

  it('or failing removes a ladder that an attempt which died had begun to replace', async () => {
    const id = await aFilm('half replaced');
    await library.work();
    const { store, transcoder } = library.needs;
    const { put } = store;
    store.put = async (key, bytes) => {
      if (key.endsWith('master.m3u8')) throw new Error('killed');
      return put(key, bytes);
    };
    await makeLadderAgain(id);
    await expect(library.workAndBreak(Infinity)).rejects.toThrow('killed');
    store.put = put;
    const { probe } = transcoder;
    transcoder.probe = () => Promise.reject(new CannotRead('The file can not be read.'));
    await library.work();
    transcoder.probe = probe;

    expect(await rowOf(id)).toMatchObject({ transcodingStage: 'failed', manifestKey: null, smilKey: null });
    const left = [...(await library.everything()).keys()].filter((key) => key.startsWith('acme/half replaced/'));
    expect(left.filter((key) => /\/(hls|smil)\//.test(key))).toEqual([]);
  });

  it('removes a ladder that the run had begun to replace', async () => {
    const id = await aFilm('replaced');
    await library.work();
    expect((await rowOf(id)).manifestKey).not.toBeNull();
    const { store } = library.needs;
    const { put } = store;
    store.put = async (key, bytes) => {
      if (key.endsWith('master.m3u8')) await cancel(id);
      return put(key, bytes);
    };
    await makeLadderAgain(id);
    await library.work();
    store.put = put;

    expect(await rowOf(id)).toMatchObject({ ...failed, status: 'ready', manifestKey: null, smilKey: null });
    const left = [...(await library.everything()).keys()].filter((key) => key.startsWith('acme/replaced/'));
    expect(left.toSorted()).toEqual([`acme/replaced/${id}/source/film.mp4`, `acme/replaced/${id}/thumbnail.jpg`]);
  });
});
