import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Json } from '../support/json.ts';
import { graphql, send, logIn } from '../support/fixtures/people.ts';
import { sharedServer, type SharedServer } from '../support/servers/shared-server.ts';
import { programsOf } from '../support/servers/survival.ts';
import { mediaNamed } from '../support/tus.ts';
import { uploading } from '../support/fixtures/uploads.ts';
import { until } from '../support/until.ts';
import { testVideo } from '../support/fixtures/video.ts';

let server: SharedServer;
let files: string;
/** Of this test alone. */
const tenant = 'library';

beforeAll(async () => {
  files = await mkdtemp(join(tmpdir(), 'foyer-library-'));
  server = await sharedServer();
});
afterAll(() => rm(files, { recursive: true, force: true }));

/** Uploads a file; with a ladder's number it gets a folder of its own. */
async function upload(file: string, { folder, fileName, profile, mediaType = 'other' }: Json): Promise<void> {
  const { size } = await stat(file);
  const { json } = await send(server, 'POST', '/api/media/prepare', {
    body: {
      title: fileName,
      mediaType,
      mimeType: mediaType === 'video' ? 'video/mp4' : 'text/plain',
      fileSize: size,
      originalName: fileName,
      fileName,
      tenant,
      folder,
      ...(profile && { transcodingProfileId: profile }),
    },
  });
  await uploading(server, file, { size, uploadToken: json.data.uploadToken }).done;
}

async function aText(fileName: string, folder: string): Promise<Json> {
  const file = join(files, fileName);
  await writeFile(file, `text of ${fileName}`);
  await upload(file, { folder, fileName });
  return mediaNamed(server, folder, fileName);
}

const audit = async (query = ''): Promise<Json> =>
  (await send(server, 'GET', `/api/media/storage-audit?${query}`)).json.data;

const keysUnder = async (prefix: string) =>
  (await audit(`prefix=${encodeURIComponent(prefix)}`)).orphans.map(({ key }: Json) => key);

describe('deleting media', () => {
  it('deletes the record and its files, in the flat layout', async () => {
    const kept = await aText('kept.txt', 'flat');
    const gone = await aText('gone.txt', 'flat');

    const { status, json } = await send(server, 'DELETE', `/api/media/${gone.id}`);
    expect([status, json]).toEqual([200, { success: true, data: { id: gone.id, purged: true } }]);
    expect((await send(server, 'GET', `/api/media/${gone.id}`)).status).toBe(404);
    expect((await fetch(gone.assetUrl)).status).toBe(404);
    expect((await fetch(kept.assetUrl)).status).toBe(200);
    expect((await send(server, 'DELETE', `/api/media/${gone.id}`)).status).toBe(404);
  });

  it('deletes the whole folder of a video with a profile', async () => {
    const file = await testVideo(files, { seconds: 2 });
    await upload(file, { folder: 'own', fileName: 'ladder.mp4', profile: 3, mediaType: 'video' });
    const media = await mediaNamed(server, 'own', 'ladder.mp4');
    expect(media.storageKey).toBe(`${tenant}/own/${media.id}/source/ladder.mp4`);

    await send(server, 'DELETE', `/api/media/${media.id}?purge=true`);
    expect(await audit('prefix=library/own/')).toMatchObject({ objectCount: 0, orphanCount: 0, missingCount: 0 });
  });

  it('deletes no file of others in a folder named like its number', async () => {
    const file = await testVideo(files, { seconds: 2 });
    await upload(file, { folder: 'numbers', fileName: 'v.mp4', profile: 3, mediaType: 'video' });
    const video = await mediaNamed(server, 'numbers', 'v.mp4');
    const neighbour = await aText('neighbour.txt', `numbers/${video.id}`);

    await send(server, 'DELETE', `/api/media/${video.id}`);
    expect(await (await fetch(neighbour.assetUrl)).text()).toBe('text of neighbour.txt');
    expect((await fetch(video.assetUrl)).status).toBe(404);
  });

  it('with purge=false leaves the files, and the audit names them', async () => {
    const media = await aText('left.txt', 'left');

    expect((await send(server, 'DELETE', `/api/media/${media.id}?purge=false`)).json.data.purged).toBe(false);
    expect((await fetch(media.assetUrl)).status).toBe(200);
    expect(await keysUnder('library/left/')).toEqual(['library/left/left.txt']);
    expect((await send(server, 'DELETE', `/api/media/${media.id}?purge=maybe`)).status).toBe(400);
  });

  it('while it is processed leaves nothing', async () => {
    const file = await testVideo(files, { seconds: 12 });
    await upload(file, { folder: 'busy', fileName: 'busy.mp4', profile: 1, mediaType: 'video' });
    const media = await until('the transcoding to begin', async () => {
      const { json } = await send(server, 'GET', '/api/media/?tenant=library&folder=busy');
      const [found]: Json[] = json.data;
      return found?.transcodingStage === 'transcode' && found;
    });

    expect((await send(server, 'DELETE', `/api/media/${media.id}`)).status).toBe(200);
    const isOfIt = ({ command }: { command: string }) => command.includes(`/${media.id}-`);
    await until('the work to end', async () => !(await programsOf(server)).some(isOfIt));
    await until('the store to be empty', async () => (await audit('prefix=library/busy/')).objectCount === 0, {
      timeoutMs: 90_000,
    });
  });

  it('needs the permission to delete', async () => {
    const viewer = await logIn(server, 'viewer@acme.test', 'ACME');
    const media = await aText('mine.txt', 'mine');
    const remove = 'mutation ($id: ID!) { deleteMedia(id: $id) { id } }';

    expect((await graphql(server, remove, { id: String(media.id) })).errors[0].extensions.reason).toBe(
      'UNAUTHENTICATED',
    );
    const refused = await graphql(server, remove, { id: String(media.id) }, viewer.headers);
    expect(['MEDIA_NOT_FOUND', 'FORBIDDEN']).toContain(refused.errors[0].extensions.reason);
    expect((await fetch(media.assetUrl)).status).toBe(200);
  });
});

describe('the storage audit', () => {
  it('lists objects without a record, and missing objects of records', async () => {
    const media = await aText('lost.txt', 'audit');
    await writeFile(join(server.dataDir, 'media/media/library/audit/stray.txt'), 'stray');
    await rm(join(server.dataDir, 'media/media', media.storageKey));

    expect(await audit('prefix=library/audit/')).toMatchObject({
      objectCount: 1,
      orphanCount: 1,
      orphans: [{ key: 'library/audit/stray.txt', size: 5 }],
      missingCount: 1,
      missing: [{ mediaId: media.id, key: media.storageKey }],
      scanTruncated: false,
    });
  });

  it('shows at most a hundred of each, counts all, and says when the store is larger than the limit', async () => {
    for (let number = 0; number < 130; number++)
      await writeFile(join(server.dataDir, 'media/media/library/audit', `many-${number}`), 'x');
    const whole = await audit('prefix=library/audit/many');
    expect([whole.orphanCount, whole.orphans.length, whole.scanTruncated]).toEqual([130, 100, false]);
    const part = await audit('prefix=library/audit/many&limit=50');
    expect([part.objectCount, part.orphanCount, part.scanTruncated]).toEqual([50, 50, true]);
    expect((await audit('prefix=../../')).objectCount).toBe(0);
    expect((await send(server, 'GET', '/api/media/storage-audit?limit=0')).status).toBe(400);
  });

  it('is for those who run the platform', async () => {
    const ask = '{ storageAudit { objectCount } }';
    const orgadmin = await logIn(server, 'orgadmin@acme.test', 'ACME');
    const owner = await logIn(server, 'admin@foyer.test', 'PLATFORM');

    expect((await graphql(server, ask)).errors[0].extensions.reason).toBe('UNAUTHENTICATED');
    expect((await graphql(server, ask, {}, orgadmin.headers)).errors[0].extensions.reason).toBe('FORBIDDEN');
    expect((await graphql(server, ask, {}, owner.headers)).data.storageAudit.objectCount).toBeGreaterThan(0);
  });
});

describe('the library', () => {
  it('names the results of processing as the document does in each place', async () => {
    const text = await aText('spelled.txt', 'spelled');
    const found = (await send(server, 'GET', `/api/media/${text.id}`)).json.data;
    const { storageKey, thumbnailKey, normalizedKey, manifestKey, smilKey } = found;
    expect(storageKey).toBe('library/spelled/spelled.txt');
    expect(found).toMatchObject({
      StorageKey: storageKey,
      ThumbnailKey: thumbnailKey,
      NormalizedKey: normalizedKey,
      ManifestKey: manifestKey,
      SmilKey: smilKey,
      Duration: null,
      VideoCodec: null,
      VideoProfile: null,
      PixelFormat: null,
      AudioCodec: null,
    });
    expect((await send(server, 'GET', '/api/media/?tenant=library&folder=spelled')).json.data).toEqual([found]);
  });

  it('is restricted to the tenant of the query, at every route of one item', async () => {
    const { id } = await aText('narrowed.txt', 'narrowed');
    const other = [
      ['GET', `/api/media/${id}`],
      ['POST', `/api/media/${id}/process`],
      ['DELETE', `/api/media/${id}`],
    ] as const;
    for (const [method, path] of other) {
      const { status, json } = await send(server, method, `${path}?tenant=other`);
      expect([method, status, json.code]).toEqual([method, 404, 'MEDIA_NOT_FOUND']);
    }
    expect((await send(server, 'GET', `/api/media/${id}?tenant=${tenant}`)).status).toBe(200);
    expect((await send(server, 'DELETE', `/api/media/${id}?tenant=${tenant}`)).status).toBe(200);
  });

  it('takes the tenant of a new upload from the query when the body has none', async () => {
    const fileName = 'wanted.pptx';
    const body = { title: 'x', mediaType: 'PPTX', fileSize: 5, originalName: fileName, fileName, folder: 'wanted' };
    const unnamed = await send(server, 'POST', '/api/media/prepare', { body });
    expect([unnamed.status, unnamed.json.code]).toEqual([400, 'VALIDATION_FAILED']);

    const { status, json } = await send(server, 'POST', `/api/media/prepare?tenant=${tenant}`, { body });
    expect(status).toBe(201);
    const file = join(files, fileName);
    await writeFile(file, 'hello');
    await uploading(server, file, { size: 5, uploadToken: json.data.uploadToken }).done;
    const types = ['slides', 'Slides', 'pptx', 'ODP', 'presentation', 'other', 'document', 'pdf'];
    const total = async (type: string) =>
      (await send(server, 'GET', `/api/media/?folder=wanted&tenant=${tenant}&type=${type}`)).json.pagination.total;
    await expect.poll(() => total('slides'), { timeout: 60_000 }).toBe(1);
    expect(await Promise.all(types.map(total))).toEqual([1, 1, 1, 1, 1, 0, 0, 0]);
  });

  it('is filtered by type, folder, tenant and status, page by page', async () => {
    for (const name of ['one.txt', 'two.txt', 'three.txt']) await aText(name, 'filtered');
    const list = async (query: string) => (await send(server, 'GET', `/api/media/?folder=filtered&${query}`)).json;
    const total = async (query: string) => (await list(query)).pagination.total;

    expect(
      await Promise.all(['', 'type=other', 'type=video', 'tenant=library', 'tenant=no', 'status=failed'].map(total)),
    ).toEqual([3, 3, 0, 3, 0, 0]);
    const second = await list('limit=2&page=2');
    expect(second.pagination).toEqual({ page: 2, limit: 2, total: 3, totalPages: 2 });
    expect(second.data.map(({ fileName }: Json) => fileName)).toEqual(['one.txt']);
    expect((await send(server, 'GET', '/api/media/?limit=101')).status).toBe(400);
    expect((await send(server, 'GET', '/api/media/folders?tenant=library')).json.data).toContainEqual({
      tenant,
      folder: 'filtered',
      count: 3,
    });
    expect((await send(server, 'GET', '/api/media/tenants')).json.data).toContain(tenant);
  });
});
