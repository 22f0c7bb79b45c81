import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { noS3, s3Endpoint, whyNoS3 } from '@foyer/shared/testing/s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startTcpProxy, type TcpProxy } from '../support/servers/tcp-proxy.ts';
import { stopServerProcess, startServerProcess, type ServerProcess } from '../support/servers/server-process.ts';
import type { Json } from '../support/json.ts';
import { send } from '../support/fixtures/people.ts';
import { withNewBucket } from '../support/s3.ts';
import { createUpload, mediaNamed, patchUpload, tus } from '../support/tus.ts';
import { prepareUpload, uploading } from '../support/fixtures/uploads.ts';
import { until } from '../support/until.ts';
import { testVideo } from '../support/fixtures/video.ts';

let server: ServerProcess;
let proxy: TcpProxy;
let files: string;
const folder = 's3-test';

beforeAll(async () => {
  files = await mkdtemp(join(tmpdir(), 'foyer-s3-'));
  if (noS3) return;
  proxy = await startTcpProxy(Number(new URL(s3Endpoint).port));
  const soon = { LOGIN_FLOOR_MS: '50', PROCESSING_BEAT_MS: '200', JOB_LOOK_EVERY_SECONDS: '1' };
  server = await startServerProcess({ ...withNewBucket(`http://127.0.0.1:${proxy.port}`), ...soon });
  await deleteWhileAway();
});
afterAll(async () => {
  await stopServerProcess(server);
  await proxy?.shut();
  await rm(files, { recursive: true, force: true });
});

const objects = async (prefix: string): Promise<Json> =>
  (await send(server, 'GET', `/api/media/storage-audit?prefix=${encodeURIComponent(prefix)}`)).json.data;

async function aFile(name: string, bytes: Buffer) {
  const file = join(files, name);
  await writeFile(file, bytes);
  return { file, size: bytes.length };
}

const served = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer());

/** Deletions that an unavailable store missed are repeated a minute later: the last test looks, the others use the time. */
async function deleteWhileAway() {
  const uploadToken = await prepareUpload(server, {
    size: 5,
    fileName: 'doomed',
    folder: 'doomed',
    mediaType: 'other',
  });
  const location = (await createUpload(server, { token: uploadToken, size: 5 })).headers.get('location') ?? '';
  await patchUpload(server, location, { offset: 0, body: 'hello' });
  const media = await mediaNamed(server, 'doomed', 'doomed');
  await proxy.shut();
  expect((await send(server, 'DELETE', `/api/media/${media.id}`)).status).toBe(200);
  await proxy.open();
}

describe.skipIf(noS3)(`a server whose store is S3${whyNoS3}`, () => {
  it('processes a video with a ladder, serves ranges of it, and removes all of it', async () => {
    const file = await testVideo(files, { seconds: 2 });
    const { size } = await stat(file);
    const uploadToken = await prepareUpload(server, { size, fileName: 'film.mp4', folder, transcodingProfileId: 2 });
    await uploading(server, file, { size, uploadToken }).done;

    const media = await mediaNamed(server, folder, 'film.mp4', { timeoutMs: 90_000 });
    expect(media).toMatchObject({ status: 'ready', transcodingStage: 'done', failureReason: null });
    const master = await fetch(`${server.url}/assets/${media.manifestKey}`);
    expect([master.status, (await master.text()).startsWith('#EXTM3U')]).toEqual([200, true]);
    const part = await fetch(media.assetUrl, { headers: { range: 'bytes=4-7' } });
    expect([part.status, await part.text()]).toEqual([206, 'ftyp']);
    expect((await objects('uploads/')).objectCount).toBe(0);

    await send(server, 'DELETE', `/api/media/${media.id}`);
    expect((await objects(`acme/${folder}/`)).objectCount).toBe(0);
  });

  it('continues an upload after the server was killed', async () => {
    const bytes = randomBytes(12_000_000);
    const uploadToken = await prepareUpload(server, {
      size: bytes.length,
      fileName: 'resumed',
      folder,
      mediaType: 'other',
    });
    const created = await createUpload(server, { token: uploadToken, size: bytes.length });
    const location = created.headers.get('location') ?? '';
    expect((await patchUpload(server, location, { offset: 0, body: bytes.subarray(0, 9_000_000) })).status).toBe(204);
    await server.kill();
    server = await server.restart();

    const offset = Number((await tus(server, 'HEAD', location)).headers.get('upload-offset'));
    expect(offset).toBe(9_000_000);
    expect((await patchUpload(server, location, { offset, body: bytes.subarray(offset) })).status).toBe(204);
    const media = await mediaNamed(server, folder, 'resumed');
    expect((await served(media.assetUrl)).equals(bytes)).toBe(true);
  });

  it('accepts empty files, and a deferred length', async () => {
    const empty = await prepareUpload(server, { size: 0, fileName: 'empty', folder, mediaType: 'other' });
    expect((await createUpload(server, { token: empty, size: 0 })).status).toBe(201);
    expect((await served((await mediaNamed(server, folder, 'empty')).assetUrl)).toString()).toBe('');

    const late = await prepareUpload(server, { size: 5, fileName: 'late', folder, mediaType: 'other' });
    const location = (await createUpload(server, { token: late })).headers.get('location') ?? '';
    const told = { offset: 0, body: 'hello', headers: { 'upload-length': '5' } };
    expect((await patchUpload(server, location, told)).status).toBe(204);
    expect((await served((await mediaNamed(server, folder, 'late')).assetUrl)).toString()).toBe('hello');
  });

  it('keeps no byte of a chunk whose checksum differs', async () => {
    const token = await prepareUpload(server, { size: 10, fileName: 'checked', folder, mediaType: 'other' });
    const location = (await createUpload(server, { token, size: 10 })).headers.get('location') ?? '';
    const sha1 = (text: string) => `sha1 ${createHash('sha1').update(text).digest('base64')}`;
    const chunk = (offset: number, body: string, of: string) =>
      patchUpload(server, location, { offset, body, headers: { 'upload-checksum': sha1(of) } });
    expect((await chunk(0, '01234', '01234')).status).toBe(204);
    expect((await chunk(5, '5678x', '56789')).status).toBe(460);
    expect((await tus(server, 'HEAD', location)).headers.get('upload-offset')).toBe('5');
    expect((await chunk(5, '56789', '56789')).status).toBe(204);
    expect((await served((await mediaNamed(server, folder, 'checked')).assetUrl)).toString()).toBe('0123456789');
  });

  it('leaves nothing of a terminated upload', async () => {
    const token = await prepareUpload(server, { size: 10, fileName: 'given-up', folder, mediaType: 'other' });
    const location = (await createUpload(server, { token, size: 10 })).headers.get('location') ?? '';
    await patchUpload(server, location, { offset: 0, body: '01234' });
    expect((await objects('uploads/')).objectCount).toBe(1);

    expect((await tus(server, 'DELETE', location)).status).toBe(204);
    expect((await objects('uploads/')).objectCount).toBe(0);
    expect((await createUpload(server, { token, size: 10 })).status).toBe(201);
  });

  it('loses nothing while the store is away: uploads continue, and processing catches up', async () => {
    const { file, size } = await aFile('patient', randomBytes(300_000));
    const first = await prepareUpload(server, { size, fileName: 'patient', folder, mediaType: 'other' });
    const begun = await createUpload(server, { token: first, size });
    const location = begun.headers.get('location') ?? '';
    const waiting = await prepareUpload(server, { size: 5, fileName: 'waiting', folder, mediaType: 'other' });
    const whole = (await createUpload(server, { token: waiting, size: 5 })).headers.get('location') ?? '';
    await patchUpload(server, whole, { offset: 0, body: 'hello' });
    await proxy.shut();
    expect((await patchUpload(server, location, { offset: 0, body: 'x' })).status).toBeGreaterThanOrEqual(500);
    expect((await send(server, 'GET', '/health/live')).status).toBe(200);
    await proxy.open();

    const offset = await until('the store to be back', async () => {
      const head = await tus(server, 'HEAD', location);
      return head.ok && (head.headers.get('upload-offset') ?? '');
    });
    expect(offset).toBe('0');
    await uploading(server, file, { size, uploadToken: first, uploadUrl: new URL(location, server.url).href }).done;
    for (const name of ['patient', 'waiting'])
      expect(await mediaNamed(server, folder, name)).toMatchObject({ status: 'ready', transcodingStage: 'done' });
  });

  it('removes what was deleted while the store was away', async () => {
    const isGone = async () => (await objects('acme/doomed/')).objectCount === 0;
    expect(await until('the purge', isGone, { timeoutMs: 150_000 })).toBe(true);
  });
});
