import { request as httpRequest } from 'node:http';

import { beforeAll, describe, expect, it } from 'vitest';

import { sharedServer, type SharedServer } from '../support/servers/shared-server.ts';
import { checksum, createUpload, offsetOf, patchUpload, refusal, tus } from '../support/tus.ts';
import { prepareUpload } from '../support/fixtures/uploads.ts';

/** The extensions Creation, Creation With Upload and Creation Defer Length of tus 1.0. */
const folder = 'tus-creation';

let server: SharedServer;

beforeAll(async () => {
  server = await sharedServer();
});

const prepare = (fileName: string, size = 5) => prepareUpload(server, { size, fileName, folder, mediaType: 'other' });

describe('a creation with bytes', () => {
  const create = async (fileName: string, headers: Record<string, string>, body?: string | Buffer) =>
    tus(server, 'POST', '/files/', {
      headers: {
        'upload-length': '5',
        'upload-metadata': `uploadToken ${Buffer.from(await prepare(fileName)).toString('base64')}`,
        ...headers,
      },
      ...(body !== undefined && { body }),
    });

  it('of another type is refused: they would be lost, with their checksum unverified', async () => {
    for (const type of ['application/octet-stream', 'application/json', null]) {
      const headers = { ...(type && { 'content-type': type }), 'upload-checksum': checksum('sha1', 'other') };
      expect([type, await refusal(await create('typed.txt', headers, Buffer.from('hello')))]).toEqual([
        type,
        expect.objectContaining({ status: 415, code: 'UPLOAD_INVALID_CONTENT_TYPE' }),
      ]);
    }
    expect(await inChunks(await prepare('chunked.txt'), 'application/octet-stream')).toBe(415);
    expect(await inChunks(await prepare('chunked.txt'), 'application/offset+octet-stream')).toBe(201);
  });

  it('may name any type when there are none', async () => {
    for (const [at, body] of [undefined, ''].entries()) {
      const created = await create(`untyped-${at}.txt`, { 'content-type': 'application/json' }, body);
      expect([created.status, created.headers.get('upload-offset')]).toEqual([201, null]);
    }
  });
});

/** Creates an upload with bytes of which nobody states how many they are. @returns the status */
const inChunks = (token: string, type: string) =>
  new Promise<number>((resolve, reject) => {
    const headers = {
      'tus-resumable': '1.0.0',
      'upload-length': '5',
      'upload-metadata': `uploadToken ${Buffer.from(token).toString('base64')}`,
      'content-type': type,
      'transfer-encoding': 'chunked',
    };
    const request = httpRequest(new URL('/files/', server.url), { method: 'POST', headers });
    request.on('response', (answer) => resolve(answer.resume().statusCode ?? 0)).on('error', reject);
    request.end('hello');
  });

describe('a deferred length', () => {
  const begun = async (fileName: string, size?: number) => {
    const created = await createUpload(server, { token: await prepare(fileName, size) });
    return created.headers.get('location') ?? '';
  };

  it('must be the prepared one when it is stated', async () => {
    const location = await begun('stated.txt');
    for (const length of ['4', '6', '500']) {
      const stated = { offset: 0, body: 'hello', headers: { 'upload-length': length } };
      expect(await refusal(await patchUpload(server, location, stated))).toMatchObject({
        status: 400,
        code: 'UPLOAD_SIZE_DIFFERS',
        preparedBytes: 5,
      });
    }
    expect(await offsetOf(server, location)).toBe('0');
    const stated = { offset: 0, body: 'hello', headers: { 'upload-length': '5' } };
    expect((await patchUpload(server, location, stated)).status).toBe(204);
  });

  it('never exceeds what was prepared while it is not stated', async () => {
    const location = await begun('unstated.txt');
    expect((await patchUpload(server, location, { offset: 0, body: 'hel' })).status).toBe(204);
    expect(await refusal(await patchUpload(server, location, { offset: 3, body: 'lo!' }))).toMatchObject({
      status: 413,
    });
    expect(await offsetOf(server, location)).toBe('3');

    const empty = await begun('empty.txt', 0);
    expect((await patchUpload(server, empty, { offset: 0, body: 'x' })).status).toBe(413);
    expect((await patchUpload(server, empty, { offset: 0, body: '', headers: { 'upload-length': '0' } })).status).toBe(
      204,
    );
  });

  it('never exceeds it in bytes that come with the creation either', async () => {
    const token = Buffer.from(await prepare('with-creation.txt')).toString('base64');
    const created = await tus(server, 'POST', '/files/', {
      headers: {
        'upload-defer-length': '1',
        'upload-metadata': `uploadToken ${token}`,
        'content-type': 'application/offset+octet-stream',
      },
      body: 'hello!',
    });
    expect(created.status).toBe(413);
  });
});
