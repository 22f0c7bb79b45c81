import { createHmac } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Json } from '../support/json.ts';
import { graphql, send } from '../support/fixtures/people.ts';
import { sharedServer, type SharedServer } from '../support/servers/shared-server.ts';
import { ELSEWHERE, HOOK_SECRET } from '../support/servers/shared-settings.ts';
import { mediaNamed } from '../support/tus.ts';
import { until } from '../support/until.ts';
import { prepareUpload, uploading } from '../support/fixtures/uploads.ts';

let server: SharedServer;
let files: string;
let media: Json;
const content = Buffer.from(Array.from({ length: 100_000 }, (_, place) => place % 251));
const fileName = 'números & co 100% #1.bin';

/** Uploads the content as the only file of a folder. */
async function aFile(folder: string, name: string): Promise<Json> {
  const file = join(files, folder);
  await writeFile(file, content);
  const uploadToken = await prepareUpload(server, { size: content.length, fileName: name, folder, mediaType: 'other' });
  await uploading(server, file, { size: content.length, uploadToken }).done;
  return mediaNamed(server, folder, name);
}

beforeAll(async () => {
  files = await mkdtemp(join(tmpdir(), 'foyer-assets-'));
  server = await sharedServer();
  media = await aFile('assets', fileName);
});
afterAll(() => rm(files, { recursive: true, force: true }));

const ask = (headers: Record<string, string> = {}, method = 'GET') => fetch(media.assetUrl, { method, headers });
const bytesOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer());

/** Sends a path unchanged: fetch would normalize it. */
const raw = (path: string) =>
  new Promise<number>((resolve, reject) => {
    const { hostname, port } = new URL(server.url);
    request({ hostname, port, path }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });

describe('an asset', () => {
  it('has a same-origin address and one to share, whatever its name', async () => {
    const key = `acme/assets/${encodeURIComponent(fileName)}`;
    const { data } = await graphql(
      await sharedServer('second'),
      '{ advertisingTickets { image { storageKey shareUrl } } }',
    );
    const { image } = data.advertisingTickets.find((ticket: Json) => ticket.image);
    expect(image.shareUrl).toBe(`${ELSEWHERE.CDN_HOST}/${image.storageKey}`);
    expect(media.assetUrl).toBe(`${server.url}/assets/media/${key}`);
    expect((await bytesOf(await ask())).equals(content)).toBe(true);
    expect((await bytesOf(await fetch(`${server.url}/assets/${key}`))).equals(content)).toBe(true);
  });

  it.each([
    ['bytes=0-0', 0, 0],
    ['bytes=65536-99999', 65_536, 99_999],
    ['bytes=99990-', 99_990, 99_999],
    ['bytes=-10', 99_990, 99_999],
    ['bytes=5-9999999', 5, 99_999],
  ])('comes in part: %s', async (range, start, end) => {
    const answer = await ask({ range });

    expect([answer.status, answer.headers.get('content-range')]).toEqual([206, `bytes ${start}-${end}/100000`]);
    expect(answer.headers.get('content-length')).toBe(String(end - start + 1));
    expect((await bytesOf(answer)).equals(content.subarray(start, end + 1))).toBe(true);
  });

  it('answers 416 beyond its end', async () => {
    const answer = await ask({ range: 'bytes=100000-' });

    expect([answer.status, answer.headers.get('content-range')]).toEqual([416, 'bytes */100000']);
    expect(await answer.json()).toMatchObject({ success: false, code: 'RANGE_NOT_SATISFIABLE' });
  });

  it('is sent completely when the part would be of another version, and not again to a client that has it', async () => {
    const etag = (await ask({}, 'HEAD')).headers.get('etag') ?? '';
    const range = 'bytes=0-9';

    expect((await ask({ range, 'if-range': etag })).status).toBe(206);
    expect((await ask({ range, 'if-range': '"another"' })).status).toBe(200);
    expect((await ask({ 'if-none-match': etag })).status).toBe(304);
  });

  it('is not sent again to a client that names the time of its last change', async () => {
    const head = await ask({}, 'HEAD');
    const changed = head.headers.get('last-modified') ?? '';
    const earlier = new Date(Date.parse(changed) - 1000).toUTCString();
    const range = 'bytes=0-9';

    const known = await ask({ 'if-modified-since': changed });
    expect([known.status, known.headers.get('etag')]).toEqual([304, head.headers.get('etag')]);
    expect((await ask({ 'if-modified-since': earlier })).status).toBe(200);
    expect((await ask({ 'if-modified-since': changed, 'if-none-match': '"another"' })).status).toBe(200);
    expect((await ask({ range, 'if-range': earlier })).status).toBe(200);
    expect(await until('a part by time', async () => (await ask({ range, 'if-range': changed })).status === 206)).toBe(
      true,
    );
  });

  it('has its size in a HEAD response', async () => {
    const head = await ask({}, 'HEAD');

    expect([head.status, head.headers.get('content-length'), head.headers.get('accept-ranges')]).toEqual([
      200,
      '100000',
      'bytes',
    ]);
    expect((await head.arrayBuffer()).byteLength).toBe(0);
  });

  it.each([
    '/assets/../package.json',
    '/assets/media/../../../../etc/passwd',
    '/assets/%2e%2e/%2e%2e/secrets.json',
    '/assets/media/%2e%2e%2fsecrets.json',
    '/assets/..%5c..%5csecrets.json',
    '/assets//etc/passwd',
    '/assets/%00',
    '/assets/%',
    '/assets/media',
    '/assets/',
    `/assets/${'a/'.repeat(700)}b`,
  ])('is not found outside the store: %s', async (path) => {
    expect([400, 404]).toContain(await raw(path));
  });

  it('is presigned for an hour; an expired or changed link is refused', async () => {
    const { json } = await send(server, 'GET', `${new URL(media.assetUrl).pathname}/presign`);
    expect(json).toMatchObject({ success: true, data: { expiresIn: 3600 } });
    expect((await bytesOf(await fetch(json.data.url))).equals(content)).toBe(true);

    const link = new URL(json.data.url);
    link.searchParams.set('expires', String(Number(link.searchParams.get('expires')) + 1));
    expect((await fetch(link)).status).toBe(403);
    const past = Math.floor(Date.now() / 1000) - 1;
    const secret = createHmac('sha256', HOOK_SECRET).update('asset links').digest('base64url');
    const signature = createHmac('sha256', secret).update(`asset\n${media.storageKey}\n${past}`).digest('base64url');
    link.searchParams.set('expires', String(past));
    link.searchParams.set('signature', signature);
    const over = await fetch(link);
    expect(over.status).toBe(403);
    expect(await over.json()).toMatchObject({ code: 'LINK_EXPIRED' });
    expect((await send(server, 'GET', '/assets/acme/none/presign')).status).toBe(404);
  });

  it('is read and presigned like others if its name is the word that presigns', async () => {
    const { assetUrl } = await aFile('asset named presign', 'presign');
    expect((await bytesOf(await fetch(assetUrl))).equals(content)).toBe(true);
    const { json } = await send(server, 'GET', `${new URL(assetUrl).pathname}/presign`);
    expect((await bytesOf(await fetch(json.data.url))).equals(content)).toBe(true);
  });
});
