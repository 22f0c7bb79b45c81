import { createHmac } from 'node:crypto';

import { expect } from 'vitest';

import type { Json } from '../../support/json.ts';
import { createUpload, patchUpload, tus } from '../../support/tus.ts';
import { open } from '../framework/open-route.ts';
import { holds, shownBy, type Rows } from '../framework/row.ts';
import type { Headers, Server } from '../framework/server.ts';
import { isCount, text, truth } from '../framework/shapes.ts';
import { asOperator, operator } from './node.ts';
import {
  asset,
  assetPath,
  at,
  aText,
  anImage,
  newFolder,
  prepare,
  preparing,
  processed,
  studio,
  token,
  withThumbnail,
} from './studio.ts';

const get = (path: string) => (server: Server, headers: Headers) => at(server, 'GET', path, { headers });
const foldersOf = (found: Json[]) => found.map((one) => one.folder as string);

async function audit(server: Server, query: string): Promise<Json> {
  const path = `/api/media/storage-audit?${query}`;
  const { status, json } = await server.send('GET', path, { headers: await asOperator(server) });
  expect(status).toBe(200);
  return json.data;
}

/** "Media (prefix /api/media)". */
export const mediaRoutes: Rows = {
  'media-media-routes-post-media-prepare': open(
    async (server, headers) => {
      const body = preparing((await studio(server)).tenant, aText());
      return at(server, 'POST', '/api/media/prepare', { headers, body });
    },
    async ({ status, json }, server) => {
      expect([status, json.data.uploadToken]).toEqual([201, text]);
      const body = { ...preparing((await studio(server)).tenant, aText()), transcodingProfileId: null };
      expect((await at(server, 'POST', '/api/media/prepare', { body })).status).toBe(201);
    },
    token,
  ),

  'media-media-routes-tus-files': holds(async (server) => {
    const file = aText();
    const { uploadToken } = await prepare(server, file);
    const created = await createUpload(server, { token: uploadToken, size: file.bytes.length });
    const location = created.headers.get('location') ?? '';
    expect([created.status, new URL(location, server.url).pathname]).toEqual([
      201,
      expect.stringMatching(/^\/files\/[^/]+$/),
    ]);
    const half = await patchUpload(server, location, { offset: 0, body: file.bytes.subarray(0, 5) });
    const head = await tus(server, 'HEAD', location);
    expect([half.status, head.headers.get('upload-offset')]).toEqual([204, '5']);
    const rest = await patchUpload(server, location, { offset: 5, body: file.bytes.subarray(5) });
    expect(rest.status).toBe(204);
    expect((await createUpload(server, { size: 5 })).status).toBeGreaterThanOrEqual(400);
  }, 'behind a prefix: test/media/uploads.test.ts'),

  'media-media-routes-post-hooks-tusd': shownBy(
    'test/media/hooks.test.ts',
    'completes an upload of tusd 2, once, however often it is reported',
  ),

  'media-media-routes-get-media': open(
    async (server, headers) => {
      const file = aText();
      const { id } = await processed(server, file);
      const answer = await at(server, 'GET', `/api/media/?folder=${file.folder}&type=other&status=ready`, { headers });
      expect(answer.json?.data?.map((media: Json) => media.id) ?? [id]).toEqual([id]);
      return answer;
    },
    async ({ status, json }, server) => {
      expect([status, json.pagination]).toEqual([200, expect.objectContaining({ page: 1, total: 1 })]);
      const { folder } = json.data[0];
      expect((await at(server, 'GET', `/api/media/?folder=/${folder}/`)).json.data).toEqual(json.data);
      for (const other of ['type=video', 'status=failed'])
        expect((await at(server, 'GET', `/api/media/?folder=${folder}&${other}`)).json.data).toEqual([]);
      expect((await at(server, 'GET', `/api/media/?folder=${newFolder()}`)).json.data).toEqual([]);
      expect((await at(server, 'GET', '/api/media/?page=2&limit=1')).status).toBe(200);
      expect((await at(server, 'GET', '/api/media/?type=&folder=&status=')).status).toBe(200);
    },
    token,
  ),

  'media-media-routes-get-media-id': open(
    async (server, headers) => {
      const { id } = await processed(server, aText());
      return at(server, 'GET', `/api/media/${id}`, { headers });
    },
    ({ status, json }) =>
      expect([status, json.data.transcodingStage, isCount(json.data.id)]).toEqual([200, 'done', true]),
    token,
  ),

  'media-media-routes-get-media-folders': open(
    async (server, headers) => {
      const file = aText();
      await processed(server, file);
      const answer = await at(server, 'GET', '/api/media/folders', { headers });
      if (answer.status === 200) expect(foldersOf(answer.json.data)).toContain(file.folder);
      return answer;
    },
    ({ status, json }) => expect([status, json.success]).toEqual([200, true]),
    token,
  ),

  'media-media-routes-get-media-tenants': open(
    async (server, headers) => {
      await processed(server, aText());
      return at(server, 'GET', '/api/media/tenants', { headers });
    },
    async ({ status, json }, server) =>
      expect([status, json.data]).toEqual([200, expect.arrayContaining([(await studio(server)).tenant])]),
    token,
  ),

  'media-media-routes-post-media-id-process': open(
    async (server, headers) => {
      const { id } = await processed(server, anImage());
      return at(server, 'POST', `/api/media/${id}/process`, { headers });
    },
    async ({ status, json }, server) => {
      expect(status).toBe(200);
      expect(await withThumbnail(server, json.data.id)).toMatchObject({ status: 'ready', thumbnailKey: text });
    },
    token,
  ),

  'media-media-routes-get-media-transcoding-profiles': open(
    get('/api/media/transcoding-profiles?category=video'),
    async ({ status, json }, server) => {
      expect([status, json.success]).toEqual([200, true]);
      expect(json.data.length).toBeGreaterThanOrEqual(3);
      const of = async (query: string): Promise<Json[]> =>
        (await at(server, 'GET', `/api/media/transcoding-profiles${query}`)).json.data;
      expect((await of('?category=')).map(({ ID }) => ID)).toEqual((await of('')).map(({ ID }) => ID));
      expect(new Set((await of('?category=video')).map(({ category }) => category))).toEqual(new Set(['video']));
      expect(await of('?category=unheard-of')).toEqual([]);
    },
    token,
  ),

  'media-media-routes-delete-media-id': open(
    async (server, headers) => {
      const { id } = await processed(server, aText());
      return at(server, 'DELETE', `/api/media/${id}`, { headers });
    },
    async ({ status, json }, server) => {
      expect(status).toBe(200);
      expect((await at(server, 'GET', `/api/media/${json.data.id}`)).status).toBe(404);
      const kept = await processed(server, aText());
      expect((await at(server, 'DELETE', `/api/media/${kept.id}?purge=false`)).status).toBe(200);
      expect((await at(server, 'GET', `/api/media/${kept.id}`)).status).toBe(404);
      expect((await asset(server, kept.storageKey)).status).toBe(statusOfKept(server));
    },
    token,
  ),

  'media-media-routes-get-media-storage-audit': open(
    (server, headers) => server.send('GET', '/api/media/storage-audit?prefix=&limit=20000', { headers }),
    ({ status, json }) => {
      expect([status, json.data]).toEqual([
        200,
        expect.objectContaining({ orphans: expect.any(Array), missing: expect.any(Array), scanTruncated: truth }),
      ]);
      for (const count of ['objectCount', 'orphanCount', 'missingCount']) expect(isCount(json.data[count])).toBe(true);
    },
    operator,
  ),

  'media-media-routes-get-assets-and-assets-presign': holds(async (server) => {
    const { storageKey } = await processed(server, aText());
    const place = await assetPath(server, storageKey);
    for (const path of [place.replace('/media/', '/'), place]) {
      const { status, text: bytes } = await server.send('GET', path);
      expect([path, status, bytes]).toEqual([path, 200, 'a few words']);
    }
    const { status, json } = await server.send('GET', `${place}/presign`);
    const url = String(json.data?.url ?? json.url);
    expect([status, (await server.send('GET', url)).text]).toEqual([200, 'a few words']);
  }, 'with `strict` an item that does not say that it is public needs the token of its signed link (0073)'),

  'media-media-routes-audit-orphans': holds(async (server) => {
    const file = aText();
    const { id, storageKey } = await processed(server, file);
    const prefix = `prefix=${encodeURIComponent(storageKey)}`;
    expect(await audit(server, prefix)).toMatchObject({ orphanCount: 0, missingCount: 0 });
    await at(server, 'DELETE', `/api/media/${id}?purge=false`);
    expect(await audit(server, prefix)).toMatchObject({ orphanCount: 1, orphans: [{ key: storageKey }] });
  }, 'what a record misses: test/media/library.test.ts'),

  'media-media-routes-audit-deletes-nothing': holds(async (server) => {
    const { id, storageKey } = await processed(server, aText());
    await at(server, 'DELETE', `/api/media/${id}?purge=false`);
    await audit(server, `prefix=${encodeURIComponent(storageKey)}`);
    expect((await asset(server, storageKey)).status).toBe(statusOfKept(server));
  }),
};

/** The file of an item that was deleted without its files: nobody may read that of a private one (decision 73). */
const statusOfKept = ({ mode }: Server) => (mode === 'strict' ? 404 : 200);

/** Lists that everybody may read with `REST_AUTH=documented`, signed in or not. */
const openLists =
  '/api/media/ /api/media/folders /api/media/tenants /api/media/transcoding-profiles /channels /streamers /caches /load-balancers';

/** "Authentication", "Events", "Versioning". */
export const mediaRules: Rows = {
  'media-authentication-none': open(
    get('/api/media/'),
    async ({ status, json }, server) => {
      expect(status).toBe(200);
      const { tenant } = await studio(server);
      for (const media of json.data) expect(media.tenant).toBe(tenant);
      const none = await at(server, 'GET', '/api/media/?tenant=nobody-at-all');
      expect([none.status, none.json.data]).toEqual([200, []]);
      for (const headers of server.mode === 'strict' ? [] : [await token(server), (await server.customer()).headers])
        for (const path of openLists.split(' ')) {
          const seen = await server.send('GET', path, { headers });
          expect([path, seen.status]).toEqual([path, 200]);
        }
    },
    token,
  ),

  'media-events-post-finish': holds(async (server) => {
    const body = { Type: 'post-receive', Event: { Upload: { ID: 'conformance', Size: 5, Offset: 1, MetaData: {} } } };
    expect((await server.send('POST', '/hooks/tusd', { body })).status).toBe(401);
    const stamp = String(Math.floor(Date.now() / 1000));
    const seal = createHmac('sha256', server.hookSecret())
      .update(`${stamp}.${JSON.stringify(body)}`)
      .digest('hex');
    const headers = { 'x-hook-timestamp': stamp, 'x-hook-signature': seal };
    expect((await server.send('POST', '/hooks/tusd', { headers, body })).status).toBe(200);
  }),

  'media-versioning-prefixes': holds(async (server) => {
    const headers = await asOperator(server);
    const statusAt = async (path: string) => (await server.send('GET', path, { headers })).status;
    for (const path of ['/api/media/transcoding-profiles', '/channels', '/streamers']) {
      expect([path, (await at(server, 'GET', path, path === '/streamers' ? { headers } : {})).status]).toEqual([
        path,
        200,
      ]);
      const other = `/api/v1${path.replace('/api', '')}`;
      expect([other, await statusAt(other)]).toEqual([other, 404]);
    }
  }),
};
