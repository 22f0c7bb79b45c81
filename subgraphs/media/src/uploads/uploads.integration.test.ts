import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openLog } from '@foyer/shared/telemetry/log';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { uploadLocker, type UploadLocker } from '#adapters/upload-store/locker.ts';
import type { Context } from '../context.ts';
import { HOOK_SECRET, openScratchMedia, type ScratchMedia } from '../testing/scratch-media.ts';
import { reconcileUploads } from './reconcile-uploads.ts';

let server: ScratchMedia;
let files: string;

beforeAll(async () => {
  files = await mkdtemp(join(tmpdir(), 'foyer-files-'));
  server = await openScratchMedia();
});
afterAll(async () => {
  await server.stop();
  await rm(files, { recursive: true, force: true });
});

const describedFile = (size: number) => ({
  title: 'Notes',
  mediaType: 'text',
  mimeType: 'text/plain',
  originalName: 'n',
  fileName: 'n.txt',
  fileSize: size,
});

const base64 = (text: string) => Buffer.from(text).toString('base64');
const tus = (method: string, path: string, headers: Record<string, string> = {}, body?: string) =>
  fetch(new URL(path, server.url), {
    method,
    headers: { 'tus-resumable': '1.0.0', ...headers },
    ...(body !== undefined && { body }),
  });

const create = (token: string | null, size: number, filename = 'n.txt') =>
  tus('POST', '/files/', {
    'upload-length': String(size),
    'upload-metadata': `filename ${base64(filename)}${token === null ? '' : `,uploadToken ${base64(token)}`}`,
  });

const patch = (location: string, offset: number, bytes: string) =>
  tus('PATCH', location, { 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' }, bytes);

const hook = (body: unknown, secret = HOOK_SECRET) =>
  fetch(`${server.url}/hooks/tusd`, {
    method: 'POST',
    headers: { authorization: `Basic ${base64(`tusd:${secret}`)}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

const idOf = (location: string) => location.split('/').at(-1) ?? '';

async function begun(size = 5): Promise<{ location: string; token: string }> {
  const token = await server.prepare(describedFile(size));
  const created = await create(token, size);
  expect(created.status).toBe(201);
  return { location: created.headers.get('location') ?? '', token };
}

describe('an upload token', () => {
  it('is needed, must be known, and begins one upload of the prepared size', async () => {
    expect((await create(null, 5)).status).toBe(401);
    expect((await create('guess', 5)).status).toBe(403);
    expect((await create(await server.prepare(describedFile(5)), 6)).status).toBe(400);

    const { location, token } = await begun();
    await patch(location, 0, 'ab');
    expect((await create(token, 5)).status).toBe(409);
  });

  it('is not used up by metadata that can not be stored', async () => {
    const token = await server.prepare(describedFile(5));
    expect((await create(token, 5, 'a\0b')).status).toBe(400);
    expect((await create(token, 5)).status).toBe(201);
  });

  it('can begin again while nothing has arrived, for a client that missed the response', async () => {
    const { location, token } = await begun();

    expect((await create(token, 5)).status).toBe(201);
    expect((await tus('HEAD', location)).status).toBe(404);
  });

  it('is refused after ten minutes, but an upload that began in time continues', async () => {
    const late = await server.prepare(describedFile(5));
    const { location } = await begun();
    await server.db.uploadToken.updateMany({ data: { expiresAt: new Date(0) } });

    expect((await create(late, 5)).status).toBe(403);
    expect((await patch(location, 0, 'hello')).status).toBe(204);
    expect(await server.db.media.count({ where: { uploadId: idOf(location) } })).toBe(1);
  });

  it('is kept as a hash only', async () => {
    const { token } = await begun();
    const kept = JSON.stringify([
      await server.db.uploadToken.findMany({ omit: { fileSize: true } }),
      await server.db.upload.findMany({ omit: { size: true } }),
    ]);

    expect(kept).not.toContain(token);
  });
});

describe('an upload', () => {
  it('resumes where it was left', async () => {
    const { location } = await begun();
    await patch(location, 0, 'he');

    expect((await tus('HEAD', location)).headers.get('upload-offset')).toBe('2');
    expect((await patch(location, 0, 'hello')).status).toBe(409);
    expect((await patch(location, 2, 'llo')).status).toBe(204);
  });

  it('becomes one media item, however often its end is reported', async () => {
    const { location, token } = await begun();
    await patch(location, 0, 'hello');
    const told = {
      Type: 'post-finish',
      Event: { Upload: { ID: idOf(location), Size: 5, MetaData: { uploadToken: token } } },
    };

    expect((await hook(told)).status).toBe(200);
    expect((await hook(told)).status).toBe(200);
    expect((await tus('HEAD', location)).headers.get('upload-offset')).toBe('5');
    expect((await patch(location, 5, '')).status).toBe(204);
    expect(await server.db.media.count({ where: { uploadId: idOf(location) } })).toBe(1);
  });

  it('that is finished is neither served nor removed', async () => {
    const { location } = await begun();
    await patch(location, 0, 'hello');

    expect((await tus('GET', location)).status).toBe(404);
    expect((await tus('DELETE', location)).status).toBeGreaterThanOrEqual(400);
    expect((await fetch(`${server.url}/assets/uploads/${idOf(location)}`)).status).toBe(404);
  });

  it('is completed by the reconciler when a crash lost its end', async () => {
    const { location } = await begun();
    const id = idOf(location);
    await writeFile(join(server.folder, 'media/media/uploads', id), 'hello'); // all bytes are here, nobody was told
    const needs = server.media.contextFor({} as never) as Context;
    const later = { ...needs, clock: { now: () => new Date(Date.now() + 60_000) } };

    expect(await reconcileUploads(later)).toBe(1);
    expect(await reconcileUploads(later)).toBe(0);
    expect(await server.db.media.count({ where: { uploadId: id } })).toBe(1);
  });

  it('can be terminated, and its token used again', async () => {
    const { location, token } = await begun();
    await patch(location, 0, 'he');

    expect((await tus('DELETE', location)).status).toBe(204);
    expect((await create(token, 5)).status).toBe(201);
  });

  it('of zero bytes is complete at once', async () => {
    const { location } = await begun(0);

    expect(await server.db.media.count({ where: { uploadId: idOf(location) } })).toBe(1);
  });
});

describe('the lock on an upload', () => {
  let elsewhere: UploadLocker;
  beforeAll(() => {
    elsewhere = uploadLocker({ databaseUrl: server.databaseUrl, log: openLog('silent') });
  });
  afterAll(() => elsewhere.stop());

  /** Another upload server writes to it. */
  const held = async (id: string) => {
    const lock = elsewhere.newLock(id);
    await lock.lock(new AbortController().signal, () => undefined);
    return lock;
  };

  it('is not waited for with an id that no upload has', async () => {
    const lock = await held('invented');
    const patched = patch('/files/invented', 0, 'hello');
    expect((await tus('HEAD', '/files/invented')).status).toBe(404);
    expect([(await patched).status, await (await patched).json()]).toMatchObject([
      404,
      { code: 'UPLOAD_THE_FILE_FOR_THIS_URL_WAS_NOT_FOUND' },
    ]);
    expect((await tus('DELETE', '/files/invented')).status).toBe(404);
    await lock.unlock();
  });

  it('refuses more than a few requests that wait for it, and says when to try again', async () => {
    const { location } = await begun();
    const lock = await held(idOf(location));
    const asked = Array.from({ length: 20 }, () => patch(location, 0, ''));
    const refused = await Promise.race(asked);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([423, '3']);
    expect(await refused.json()).toMatchObject({ code: 'UPLOAD_LOCKED' });

    await lock.unlock();
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([204, 423]));
  });
});

describe('the hook', () => {
  it('accepts only clients with the secret, and ignores other hooks', async () => {
    expect((await hook({ Type: 'post-finish' }, 'guess')).status).toBe(401);
    expect((await hook({ Type: 'post-finish' })).status).toBe(400);
    const ignored = await hook({ Type: 'post-receive', Event: { Upload: { ID: 'x', Size: 1 } } });
    expect([ignored.status, await ignored.text()]).toEqual([200, '{}']);
  });

  it('completes an upload that another upload server stored', async () => {
    const token = await server.prepare(describedFile(5));
    const key = 'uploads/foreign';
    const file = join(server.folder, 'media/media', key);
    await writeFile(file, 'hello');
    const upload = {
      ID: 'foreign+multi',
      Size: (await stat(file)).size,
      MetaData: { uploadToken: token },
      Storage: { Type: 's3store', Key: key },
    };

    expect((await hook({ Type: 'pre-create', Event: { Upload: upload } })).status).toBe(200);
    expect((await hook({ Type: 'post-create', Event: { Upload: upload } })).status).toBe(200);
    await server.db.uploadToken.updateMany({ data: { expiresAt: new Date(0) } });
    expect((await hook({ Type: 'post-finish', Event: { Upload: { ...upload, Size: 6 } } })).status).toBe(422);
    expect((await hook({ Type: 'post-finish', Event: { Upload: upload } })).status).toBe(200);
    expect(await server.db.media.count({ where: { uploadId: 'foreign' } })).toBe(1);
  });

  it('refuses an unknown token', async () => {
    const upload = { ID: 'stranger', Size: 5, MetaData: { uploadToken: 'guess' } };

    expect((await hook({ Type: 'post-finish', Event: { Upload: upload } })).status).toBe(403);
  });
});
