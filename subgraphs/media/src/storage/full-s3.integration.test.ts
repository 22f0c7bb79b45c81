import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { s3ObjectStore } from '#adapters/object-store/s3.ts';
import { openScratchMedia, type ScratchMedia } from '../testing/scratch-media.ts';

/** What the S3 server answers to every PUT; null for taking it. */
let refusal: { status: number; code: string } | null = null;

const objects = new Map<string, Buffer>();

/** As much of S3 as an upload needs: it can be begun and read, and its bytes can be refused. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method, url = '/' } = request;
  const { pathname, searchParams } = new URL(url, 'http://s3');
  const bytes = await buffer(request);
  const send = (status: number, xml = '') => response.writeHead(status, { 'content-type': 'application/xml' }).end(xml);
  if (method === 'PUT') {
    if (refusal) return void send(refusal.status, `<Error><Code>${refusal.code}</Code><Message>No.</Message></Error>`);
    objects.set(pathname, bytes);
    response.setHeader('etag', '"1"');
    return void send(200);
  }
  if (method === 'POST') return void send(200, begun);
  if (method === 'GET') return void send(200, searchParams.has('uploadId') ? noParts : '<ListBucketResult/>');
  const size = /^\/media\/?$/.test(pathname) ? 0 : objects.get(pathname)?.length;
  if (method === 'DELETE' || size === undefined) return void send(method === 'DELETE' ? 204 : 404);
  response.setHeader('etag', '"1"').setHeader('last-modified', new Date(0).toUTCString());
  response.setHeader('content-length', size);
  send(200);
}

const begun = '<InitiateMultipartUploadResult><UploadId>1</UploadId></InitiateMultipartUploadResult>';
const noParts = '<ListPartsResult><IsTruncated>false</IsTruncated></ListPartsResult>';

const server = createServer((request, response) => void answer(request, response));
let endpoint: URL;
let media: ScratchMedia;
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  endpoint = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const account = { S3_ENDPOINT: endpoint.href, S3_BUCKET: 'media', S3_ACCESS_KEY: 'key', S3_SECRET_KEY: 'secret' };
  media = await openScratchMedia(account, { works: false });
});
afterAll(async () => {
  await media?.stop();
  server.close().closeAllConnections();
});

const file = { title: 'Notes', mediaType: 'text', mimeType: 'text/plain', originalName: 'n.txt', fileSize: 5 };

const tus = (method: string, url: URL, headers: Record<string, string>, body?: string) =>
  fetch(url, { method, headers: { 'tus-resumable': '1.0.0', ...headers }, ...(body && { body }) });

/** Creates an upload; returns its address. */
async function created(fileName: string): Promise<URL> {
  const token = Buffer.from(await media.prepare({ ...file, fileName })).toString('base64');
  const headers = { 'upload-length': '5', 'upload-metadata': `uploadToken ${token}` };
  const answered = await tus('POST', new URL('/files/', media.url), headers);
  expect(answered.status).toBe(201);
  return new URL(new URL(answered.headers.get('location') ?? '', media.url).pathname, media.url);
}

const patch = (upload: URL) =>
  tus('PATCH', upload, { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }, 'hello');

/** Opens another store there: one probes rarely. */
const openStore = () =>
  s3ObjectStore({
    endpoint,
    publicEndpoint: endpoint,
    bucket: 'media',
    region: 'us-east-1',
    accessKey: 'key',
    secretKey: 'secret',
    timeoutMs: 5_000,
  });

describe.each([
  ['is full', { status: 507, code: 'InsufficientStorage' }, { status: 507, reason: 'STORE_FULL' }],
  ['has an exhausted quota', { status: 403, code: 'QuotaExceeded' }, { status: 507, reason: 'STORE_FULL' }],
  ['is full, as MinIO says it', { status: 507, code: 'XMinioStorageFull' }, { status: 507, reason: 'STORE_FULL' }],
  ['is read-only', { status: 403, code: 'AccessDenied' }, { status: 503, reason: 'STORE_READ_ONLY' }],
])('an S3 server that %s', (_what, refuses, { status, reason }) => {
  it('is said so to an upload, which may go on later', async () => {
    refusal = null;
    const upload = await created(`${refuses.code}.txt`);
    refusal = refuses;
    const answered = await patch(upload);
    expect([answered.status, ((await answered.json()) as { code: string }).code]).toEqual([status, reason]);
    expect(Number(answered.headers.get('retry-after'))).toBeGreaterThan(0);

    refusal = null;
    const head = await tus('HEAD', upload, {});
    expect([head.status, head.headers.get('upload-offset')]).toEqual([200, '0']);
  });

  it('fails the probe of readiness, and every other write', async () => {
    refusal = refuses;
    const store = openStore();
    await expect(store.check()).rejects.toMatchObject({ reason });
    await expect(store.put('film', Buffer.from('x'))).rejects.toMatchObject({ reason });
    refusal = null;
    await expect(openStore().check()).resolves.toBeUndefined();
  });
});
