import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'vitest';

import type { Json } from '../../support/json.ts';
import { createUpload, patchUpload } from '../../support/tus.ts';
import { until } from '../../support/until.ts';
import { testVideo } from '../../support/fixtures/video.ts';
import { perServer } from '../framework/per-server.ts';
import type { Headers, Server } from '../framework/server.ts';

/** A workspace with a library of its own. With `REST_AUTH=documented` its routes are called without a token. */
export const studio = perServer(async (server) => {
  const { admin, workspaceId, companyCode } = await server.newOrganization();
  const headers: Headers = server.mode === 'strict' ? admin.headers : {};
  return { admin, workspaceId, tenant: companyCode.toLowerCase(), headers };
});

/** The headers of a caller who may use the routes of the library, where a token is required. */
export const token = async (server: Server) => (await studio(server)).admin.headers;

/** Sends a request to a route, in the studio's workspace, by default as a legacy client. */
export async function at(
  server: Server,
  method: string,
  path: string,
  sent: { headers?: Headers; body?: unknown } = {},
) {
  const { workspaceId, headers } = await studio(server);
  const query = `${path.includes('?') ? '&' : '?'}workspaceId=${workspaceId}`;
  return server.send(method, `${path}${query}`, { headers, ...sent });
}

export interface Wish {
  bytes: Buffer;
  fileName: string;
  folder: string;
  mediaType: string;
  mimeType: string;
  transcodingProfileId?: number;
}

/** The documented request before an upload. */
export const preparing = (tenant: string, { bytes, fileName, ...wish }: Wish) => ({
  title: `Title of ${fileName}`,
  fileSize: bytes.length,
  originalName: `original ${fileName}`,
  fileName,
  tenant,
  ...wish,
});

export async function prepare(server: Server, wish: Wish): Promise<Json> {
  const body = preparing((await studio(server)).tenant, wish);
  const { status, json, text } = await at(server, 'POST', '/api/media/prepare', { body });
  expect([status, text]).toEqual([201, expect.any(String)]);
  return json.data;
}

/** Uploads a file in both steps; returns its upload token. */
export async function upload(server: Server, wish: Wish): Promise<string> {
  const { uploadToken } = await prepare(server, wish);
  const created = await createUpload(server, { token: uploadToken, size: wish.bytes.length });
  expect(created.status).toBe(201);
  const location = created.headers.get('location') ?? '';
  const sent = await patchUpload(server, location, { offset: 0, body: wish.bytes });
  expect(sent.status).toBe(204);
  return uploadToken as string;
}

/** The only media of a folder, once it is there. */
export const mediaIn = (server: Server, folder: string): Promise<Json> =>
  until(`media in ${folder}`, async () => {
    const { json } = await at(server, 'GET', `/api/media/?folder=${folder}`);
    return json.data[0];
  });

const mediaOf = async (server: Server, id: number): Promise<Json> =>
  (await at(server, 'GET', `/api/media/${id}`)).json.data;

/** Uploads a file and waits until it is processed; returns all stages and statuses that it had. */
export async function processed(server: Server, wish: Wish): Promise<Json> {
  await upload(server, wish);
  const { id } = await mediaIn(server, wish.folder);
  const [seen, statuses] = [new Set<string>(), new Set<string>()];
  const media = await until(
    `media ${id} to be processed`,
    async () => {
      const found = await mediaOf(server, id);
      seen.add(found.transcodingStage);
      statuses.add(found.status);
      return ['done', 'failed'].includes(found.transcodingStage) && found;
    },
    { timeoutMs: 200_000, everyMs: 50 },
  );
  return { ...media, seen: [...seen], statuses: [...statuses] };
}

/** Reads it again, once its preview has been drawn in the background. */
export const withThumbnail = (server: Server, id: number): Promise<Json> =>
  until(`the preview of ${id}`, async () => {
    const media = await mediaOf(server, id);
    return media.thumbnailKey !== null && media;
  });

export const newFolder = (): string => `conf-${randomUUID().slice(0, 13)}`;

/** A small text, and an image. */
export const aText = (fileName = 'notes.txt'): Wish => ({
  bytes: Buffer.from('a few words'),
  fileName,
  folder: newFolder(),
  mediaType: 'other',
  mimeType: 'text/plain',
});
export const anImage = (): Wish => ({
  bytes: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="90" height="60"><circle r="40"/></svg>'),
  fileName: 'dot.svg',
  folder: newFolder(),
  mediaType: 'image',
  mimeType: 'image/svg+xml',
});

let film: Promise<Buffer> | undefined;
/** A real video of three seconds. */
export async function aVideo(transcodingProfileId?: number): Promise<Wish> {
  film ??= mkdtemp(join(tmpdir(), 'foyer-conformance-')).then(async (folder) => readFile(await testVideo(folder)));
  return {
    bytes: await film,
    fileName: 'clip.mp4',
    folder: newFolder(),
    mediaType: 'video',
    mimeType: 'video/mp4',
    ...(transcodingProfileId !== undefined && { transcodingProfileId }),
  };
}

export const profiles = perServer(async (server): Promise<Json[]> => {
  const { json } = await at(server, 'GET', '/api/media/transcoding-profiles?category=video');
  return json.data;
});

const profileWith = async (server: Server, rungs: (count: number) => boolean): Promise<number> => {
  const found = (await profiles(server)).find(({ renditions }) => rungs(renditions.length));
  return found.ID as number;
};
const once = (wish: (server: Server) => Promise<Wish>) =>
  perServer(async (server) => {
    const input = await wish(server);
    const { id, ...media } = await processed(server, input);
    const { thumbnailKey } = await withThumbnail(server, id);
    return { id, ...media, thumbnailKey, input };
  });

/** A video with a ladder, one with the passthrough profile, and one without a profile: for rows that only look at them. */
export const withLadder = once(async (server) => aVideo(await profileWith(server, (count) => count > 0)));
export const passedThrough = once(async (server) => aVideo(await profileWith(server, (count) => count === 0)));
export const withoutProfile = once(async () => aVideo());

/**
 * The path of a key. With `REST_AUTH=strict` an item that says nothing is private: its path begins with the token that its
 * `assetUrl` has (decision 73).
 */
export async function assetPath(server: Server, key: string): Promise<string> {
  if (server.mode !== 'strict') return `/assets/media/${key}`;
  const { json } = await at(server, 'GET', '/api/media/?limit=100');
  const owner = json.data.find(({ storageKey, thumbnailKey }: Json) => {
    const [prefix, source] = String(storageKey).split('/source/');
    return [storageKey, thumbnailKey].includes(key) || (source !== undefined && key.startsWith(`${prefix}/`));
  });
  if (!owner) return `/assets/media/${key}`;
  return `${new URL(owner.assetUrl, server.url).pathname.split('/media/', 1)[0]}/media/${key}`;
}

/** A media item's bytes, as those get them who may play it. */
export async function asset(server: Server, key: string) {
  const answer = await fetch(new URL(await assetPath(server, key), server.url));
  return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() };
}
