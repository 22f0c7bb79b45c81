import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createTestDatabase } from '@foyer/prisma/testing/test-database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { stopServerProcess, startServerProcess, type ServerProcess } from '../support/servers/server-process.ts';
import { send } from '../support/fixtures/people.ts';
import { checksum, createUpload, HOSTILE_PREFIXES, mediaNamed, patchUpload, refusal, tus } from '../support/tus.ts';
import { startUploadServer, type UploadServer } from '../support/servers/upload-server.ts';
import { prepareUpload } from '../support/fixtures/uploads.ts';

const folder = 'own-process';
const HOOK_SECRET = 'a secret of two processes';

let files: string;
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let foyer: ServerProcess;
let servers: UploadServer[];

const shared = () => ({ DATABASE_URL: database.url, HOOK_SECRET, MEDIA_DIR: join(files, 'media') });
const aServer = (differs: Record<string, string> = {}) =>
  startUploadServer({ ...shared(), HOOK_URL: `${foyer.url}/hooks/tusd`, ASSET_BASE_URL: foyer.url, ...differs });

beforeAll(async () => {
  files = await mkdtemp(join(tmpdir(), 'foyer-upload-server-'));
  database = await createTestDatabase('seeds');
  foyer = await startServerProcess({ ...shared(), LOGIN_FLOOR_MS: '50' });
  servers = await Promise.all([aServer(), aServer()]);
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.kill()));
  await stopServerProcess(foyer);
  await database.drop();
  await rm(files, { recursive: true, force: true });
});

const nth = (number: number): UploadServer => {
  const server = servers[number];
  if (!server) throw new Error('no such server');
  return server;
};

async function begin(server: { url: string }, fileName: string, size: number, into = folder): Promise<string> {
  const token = await prepareUpload(foyer, { size, fileName, folder: into, mediaType: 'other' });
  const created = await createUpload(server, { token, size });
  expect(created.status).toBe(201);
  return created.headers.get('location') ?? '';
}

describe('a server that trusts no proxy', () => {
  const reachedBy = async (prefix: string) => {
    const token = await prepareUpload(foyer, { size: 5, fileName: 'behind.txt', folder, mediaType: 'other' });
    return createUpload(foyer, { token, size: 5, headers: { 'x-forwarded-prefix': prefix } });
  };

  it('ignores the claimed prefix in the location of an upload, and refuses an invalid one', async () => {
    const created = await reachedBy('/evil');
    expect([created.status, await created.text()]).toEqual([201, '']);
    const location = created.headers.get('location') ?? '';
    expect(location).toMatch(/^\/files\/[^/]+$/);
    for (const prefix of HOSTILE_PREFIXES) expect((await reachedBy(prefix)).status).toBe(400);
    expect((await tus(foyer, 'DELETE', location)).status).toBe(204);
  });
});

describe('the store of a server', () => {
  it('counts an unfinished upload in its audit, and does not name it', async () => {
    const location = await begin(foyer, 'finished.txt', 5, 'store');
    await patchUpload(foyer, location, { offset: 0, body: 'hello' });
    await mediaNamed(foyer, 'store', 'finished.txt');
    const stuck = join(files, 'media/media/uploads/stuck');
    await writeFile(stuck, 'half');

    const { json } = await send(foyer, 'GET', '/api/media/storage-audit?prefix=uploads/');
    expect(json.data).toMatchObject({ objectCount: 1, orphanCount: 1, orphans: [] });
    await rm(stuck);
  });

  it('loses nothing while its disk is away: uploads and processing continue when it is back', async () => {
    const bucket = join(files, 'media/media');
    const whole = await begin(foyer, 'whole.txt', 5, 'store');
    await patchUpload(foyer, whole, { offset: 0, body: 'hello' });
    const { assetUrl } = await mediaNamed(foyer, 'store', 'whole.txt');
    const location = await begin(foyer, 'patient.bin', 1_000, 'store');
    expect((await patchUpload(foyer, location, { offset: 0, body: Buffer.alloc(400, 'a') })).status).toBe(204);

    await rename(bucket, `${bucket}-away`);
    const lost = await patchUpload(foyer, location, { offset: 400, body: Buffer.alloc(600, 'b') });
    expect(lost.ok).toBe(false);
    expect((await fetch(assetUrl)).status).toBe(503);
    expect((await send(foyer, 'GET', '/health/live')).status).toBe(200);
    await rm(bucket, { recursive: true, force: true });
    await rename(`${bucket}-away`, bucket);

    expect((await tus(foyer, 'HEAD', location)).headers.get('upload-offset')).toBe('400');
    expect((await patchUpload(foyer, location, { offset: 400, body: Buffer.alloc(600, 'b') })).status).toBe(204);
    const kept = await mediaNamed(foyer, 'store', 'patient.bin');
    const expected = Buffer.concat([Buffer.alloc(400, 'a'), Buffer.alloc(600, 'b')]);
    expect((await readFile(join(bucket, kept.storageKey))).equals(expected)).toBe(true);
  });
});

describe('the upload server as a process of its own', () => {
  it('is ready while database and store are', async () => {
    const awayStore = { S3_ENDPOINT: 'http://127.0.0.1:9', S3_ACCESS_KEY: 'key', S3_SECRET_KEY: 'secret' };
    const away = await aServer(awayStore);
    const ready = async ({ url }: UploadServer) => {
      const answer = await fetch(`${url}/health/ready`);
      return { code: answer.status, ...((await answer.json()) as object) };
    };

    // A check may take too long on a busy machine.
    const open = { code: 200, status: 'ok', checks: { database: true, store: true } };
    await expect.poll(() => ready(nth(0))).toEqual(open);
    const withoutStore = { code: 503, status: 'unavailable', checks: { database: true, store: false } };
    await expect.poll(() => ready(away)).toEqual(withoutStore);
    await away.kill();
  });

  it('accepts uploads and reports them by its hook', async () => {
    const location = await begin(nth(0), 'told.txt', 5);
    expect((await patchUpload(nth(0), location, { offset: 0, body: 'hello' })).status).toBe(204);

    // At once: the hook creates the media item, not the reconciler a minute later.
    const { json } = await send(foyer, 'GET', `/api/media/?folder=${folder}`);
    expect(json.data.map(({ fileName }: { fileName: string }) => fileName)).toEqual(['told.txt']);
    const media = await mediaNamed(foyer, folder, 'told.txt');
    expect(await (await fetch(media.assetUrl)).text()).toBe('hello');
  });

  it('that is told to stop goes on taking uploads for SHUTDOWN_DELAY_MS, and is not ready', async () => {
    const stopping = await aServer({ SHUTDOWN_DELAY_MS: '60000' });
    process.kill(stopping.pid, 'SIGTERM');
    await expect.poll(async () => (await fetch(`${stopping.url}/health/ready`)).status, { timeout: 25_000 }).toBe(503);
    const location = await begin(stopping, 'late.txt', 5);
    expect((await patchUpload(stopping, location, { offset: 0, body: 'hello' })).status).toBe(204);
    await stopping.kill();
  });

  it('refuses what the server refuses, with the same status and code', async () => {
    const answers = await Promise.all(
      [foyer, nth(0)].map(async (server, at) => {
        const name = (what: string) => `refused-${at}-${what}.txt`;
        const location = await begin(server, name('patch'), 5);
        const patch = (headers: Record<string, string>, body = 'hello') =>
          patchUpload(server, location, { offset: 0, body, headers });
        const token = await prepareUpload(foyer, { size: 5, fileName: name('create'), folder, mediaType: 'other' });
        const refusals = {
          version: await patch({ 'tus-resumable': '0.2.2' }),
          type: await patch({ 'content-type': 'application/octet-stream' }),
          offset: await patch({ 'upload-offset': '3' }),
          checksum: await patch({ 'upload-checksum': checksum('sha1', 'other') }),
          algorithm: await patch({ 'upload-checksum': 'crc32 AAAAAA==' }),
          tooMuch: await patch({}, 'hello, and more'),
          otherSize: await createUpload(server, { token, size: 6 }),
          noToken: await createUpload(server, { token: 'none', size: 5 }),
          concatenation: await createUpload(server, { token, size: 5, headers: { 'upload-concat': 'partial' } }),
        };
        const read = Object.entries(refusals).map(async ([what, answer]) => {
          const { status, code } = await refusal(answer);
          return [what, [status, code]];
        });
        return Object.fromEntries(await Promise.all(read));
      }),
    );
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[1]).toMatchObject({
      version: [412, 'UPLOAD_INVALID_TUS_RESUMABLE'],
      type: [415, 'UPLOAD_INVALID_CONTENT_TYPE'],
      offset: [409, 'UPLOAD_OFFSET_CONFLICT'],
      checksum: [460, 'UPLOAD_CHECKSUM_MISMATCH'],
    });
  });

  it('accepts a method in X-HTTP-Method-Override', async () => {
    const location = await begin(nth(0), 'overridden.txt', 5);
    const headers = { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' };
    const as = (method: string, more: { headers?: Record<string, string>; body?: string }) =>
      tus(nth(0), 'POST', location, { ...more, headers: { ...more.headers, 'x-http-method-override': method } });
    expect((await as('PATCH', { headers, body: 'he' })).status).toBe(204);
    expect((await as('HEAD', {})).headers.get('upload-offset')).toBe('2');
    expect((await as('DELETE', {})).status).toBe(204);
  });

  it('continues an upload that another upload server began, and never writes at the same time', async () => {
    const bytes = randomBytes(3_000_000);
    const location = await begin(nth(0), 'handed-over.bin', bytes.length);
    await patchUpload(nth(0), location, { offset: 0, body: bytes.subarray(0, 1_000_000) });

    const rest = { offset: 1_000_000, body: bytes.subarray(1_000_000) };
    const answers = await Promise.allSettled([0, 1, 0, 1].map((number) => patchUpload(nth(number), location, rest)));
    const statuses = answers.map((answer) => (answer.status === 'fulfilled' ? answer.value.status : 0));
    expect(statuses.filter((status) => status === 204).length).toBeLessThanOrEqual(1);
    // An upload that was told to give way may have stopped halfway: its client then reads the offset and continues.
    const offset = Number((await tus(nth(1), 'HEAD', location)).headers.get('upload-offset'));
    if (!statuses.includes(204)) await patchUpload(nth(1), location, { offset, body: bytes.subarray(offset) });

    const media = await mediaNamed(foyer, folder, 'handed-over.bin');
    const served = Buffer.from(await (await fetch(media.assetUrl)).arrayBuffer());
    expect(served.equals(bytes)).toBe(true);
  });

  it('loses nothing when it is killed in the middle', async () => {
    const location = await begin(nth(1), 'killed.txt', 10);
    await patchUpload(nth(1), location, { offset: 0, body: '01234' });
    await nth(1).kill();
    servers[1] = await aServer();

    expect((await tus(nth(1), 'HEAD', location)).headers.get('upload-offset')).toBe('5');
    expect((await patchUpload(nth(1), location, { offset: 5, body: '56789' })).status).toBe(204);
    const media = await mediaNamed(foyer, folder, 'killed.txt');
    expect(await (await fetch(media.assetUrl)).text()).toBe('0123456789');
  });

  it('loses nothing when the server is away at the end of an upload: it is reconciled', async () => {
    const location = await begin(nth(0), 'reconciled.txt', 5);
    await foyer.kill();
    expect((await patchUpload(nth(0), location, { offset: 0, body: 'hello' })).status).toBe(204);
    foyer = await foyer.restart();

    const media = await mediaNamed(foyer, folder, 'reconciled.txt', { timeoutMs: 150_000 });
    expect(await (await fetch(media.assetUrl)).text()).toBe('hello');
  });
});
