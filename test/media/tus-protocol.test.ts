import { request as httpRequest } from 'node:http';

import { beforeAll, describe, expect, it } from 'vitest';

import { send } from '../support/fixtures/people.ts';
import { sharedServer, type SharedServer } from '../support/servers/shared-server.ts';
import { checksum, createUpload, mediaNamed, offsetOf, patchUpload, refusal, tus } from '../support/tus.ts';
import { prepareUpload } from '../support/fixtures/uploads.ts';

/** What tus 1.0 (https://tus.io/protocols/resumable-upload) requires of every server. */
const folder = 'tus-protocol';

let server: SharedServer;

beforeAll(async () => {
  server = await sharedServer();
});

const prepare = (fileName: string, size = 5) => prepareUpload(server, { size, fileName, folder, mediaType: 'other' });

async function begin(fileName: string): Promise<string> {
  const created = await createUpload(server, { token: await prepare(fileName), size: 5 });
  expect(created.status).toBe(201);
  return created.headers.get('location') ?? '';
}

describe('a client that knows no method but POST', () => {
  const as = (method: string, location: string, more: { headers?: Record<string, string>; body?: string } = {}) =>
    tus(server, 'POST', location, { ...more, headers: { ...more.headers, 'x-http-method-override': method } });
  const bytes = { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' };

  it('uploads, reads the offset and gives up with X-HTTP-Method-Override', async () => {
    const location = await begin('overridden.txt');
    const head = await as('HEAD', location);
    expect([head.status, head.headers.get('upload-offset'), head.headers.get('upload-length')]).toEqual([
      200,
      '0',
      '5',
    ]);
    expect((await as('PATCH', location, { headers: bytes, body: 'hello' })).status).toBe(204);
    const { assetUrl } = await mediaNamed(server, folder, 'overridden.txt');
    expect(await (await fetch(assetUrl)).text()).toBe('hello');

    const given = await begin('given-up.txt');
    expect((await as('delete', given)).status).toBe(204);
    expect((await tus(server, 'HEAD', given)).status).toBe(404);
  });

  it('has to follow the rules of the method that it names', async () => {
    const location = await begin('held.txt');
    const headers = { ...bytes, origin: 'https://elsewhere.test' };
    expect(await refusal(await as('PATCH', location, { headers, body: 'hello' }))).toMatchObject({
      status: 403,
      code: 'FOREIGN_ORIGIN',
    });
    expect(await refusal(await as('PATCH', location, { headers: { ...bytes, 'upload-offset': '3' } }))).toMatchObject({
      status: 409,
    });
    for (const method of ['GET', 'CONNECT', 'nothing'])
      expect(await refusal(await as(method, location))).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' });
  });

  it('is logged by the method that it names', async () => {
    const location = await begin('logged.txt');
    const answer = await as('PATCH', location, { headers: bytes, body: 'hello' });
    const id = answer.headers.get('x-request-id') ?? '?';
    await expect
      .poll(async () => (await server.printed()).split('\n').filter((line) => line.includes(id)))
      .toContainEqual(expect.stringMatching(/"method":"PATCH".*"status":"204"/));
  });

  it('can not override the method outside the protocol', async () => {
    const headers = { 'x-http-method-override': 'DELETE' };
    const { status } = await send(server, 'GET', '/api/media/?limit=1', { headers });
    expect(status).toBe(200);
  });
});

describe('the metadata of an upload', () => {
  it.each(['blanks', 'comma', 'padding'] as const)('may have %s that tusd takes too', async (what) => {
    const fileName = `metadata-${what}.txt`;
    const token = Buffer.from(await prepare(fileName)).toString('base64');
    const written = {
      blanks: ` filename Zg== , uploadToken  ${token} `,
      comma: `filename Zg==,,uploadToken ${token},`,
      padding: `filename Zg,uploadToken ${token.replace(/=+$/, '')}`,
    }[what];
    const headers = { 'upload-length': '5', 'upload-metadata': written };
    const created = await tus(server, 'POST', '/files/', { headers });
    expect(created.status).toBe(201);
    const location = created.headers.get('location') ?? '';
    expect((await patchUpload(server, location, { offset: 0, body: 'hello' })).status).toBe(204);
    expect(await mediaNamed(server, folder, fileName)).toMatchObject({ status: 'ready' });
  });

  it('without a token is refused, and so is an invalid one', async () => {
    const create = (metadata: string) =>
      tus(server, 'POST', '/files/', { headers: { 'upload-length': '5', 'upload-metadata': metadata } });
    expect(await refusal(await create(' , '))).toMatchObject({ status: 401, code: 'UPLOAD_TOKEN_MISSING' });
    for (const broken of ['filename Zg=', 'filename Z!', 'filename a b', 'filename Zg==,filename Zg=='])
      expect([broken, (await refusal(await create(broken))).status]).toEqual([broken, 400]);
  });
});

describe('a refusal by the protocol', () => {
  it('has the status of the protocol, and a code without repetition', async () => {
    const location = await begin('refused.txt');
    const patch = (headers: Record<string, string>) =>
      patchUpload(server, location, { offset: 0, body: 'hello', headers });

    const old = await tus(server, 'HEAD', location, { headers: { 'tus-resumable': '0.2.2' } });
    expect([old.status, old.headers.get('tus-version')]).toEqual([412, '1.0.0']);
    expect(await refusal(await patch({ 'tus-resumable': '0.2.2' }))).toMatchObject({
      status: 412,
      code: 'UPLOAD_INVALID_TUS_RESUMABLE',
    });
    const bare = await fetch(new URL(location, server.url), { method: 'DELETE' });
    expect(bare.headers.get('tus-version')).toBe('1.0.0');
    expect(await refusal(bare)).toMatchObject({ status: 412, code: 'UPLOAD_TUS_RESUMABLE_REQUIRED' });
    expect(await refusal(await patch({ 'content-type': 'application/octet-stream' }))).toMatchObject({
      status: 415,
      code: 'UPLOAD_INVALID_CONTENT_TYPE',
    });
    expect(await refusal(await patch({ 'upload-offset': '3' }))).toMatchObject({
      status: 409,
      code: 'UPLOAD_OFFSET_CONFLICT',
    });
    expect((await patch({})).status).toBe(204);
  });
});

describe('what the upload server advertises', () => {
  it('is what it supports, and nothing else', async () => {
    const { status, headers } = await fetch(`${server.url}/files/`, { method: 'OPTIONS' });
    expect(status).toBe(204);
    expect(headers.get('tus-version')).toBe('1.0.0');
    expect(headers.get('tus-extension')?.split(',')).toEqual([
      'creation',
      'creation-with-upload',
      'creation-defer-length',
      'termination',
      'checksum',
    ]);
    expect(headers.get('tus-checksum-algorithm')).toBe('sha1,sha256,sha512,md5');
    expect(Number(headers.get('tus-max-size'))).toBeGreaterThan(0);
    expect([...headers].join()).not.toMatch(/concat|expiration|trailer/i);
  });

  it('does not include concatenation, which is refused with a reason', async () => {
    const token = await prepare('parts.txt');
    for (const concat of ['partial', 'final;/files/a /files/b']) {
      const created = await createUpload(server, { token, size: 5, headers: { 'upload-concat': concat } });
      expect(await refusal(created)).toMatchObject({
        status: 501,
        code: 'UPLOAD_CONCATENATION_EXTENSION_IS_NOT_YET_SUPPORTED',
      });
    }
    expect((await createUpload(server, { token, size: 5 })).status).toBe(201);
  });
});

describe('the checksum of a chunk', () => {
  const patch = (location: string, offset: number, body: string, value: string) =>
    patchUpload(server, location, { offset, body, headers: { 'upload-checksum': value } });

  it.each(['sha1', 'sha256', 'sha512', 'md5'])('is verified before a byte of it is kept: %s', async (algorithm) => {
    const location = await begin(`${algorithm}.txt`);
    expect((await patch(location, 0, 'he', checksum(algorithm, 'he'))).status).toBe(204);
    const wrong = await patch(location, 2, 'lxo', checksum(algorithm, 'llo'));
    expect(await refusal(wrong)).toMatchObject({ status: 460, code: 'UPLOAD_CHECKSUM_MISMATCH' });
    expect(await offsetOf(server, location)).toBe('2');

    expect((await patch(location, 2, 'llo', checksum(algorithm, 'llo'))).status).toBe(204);
    const { assetUrl } = await mediaNamed(server, folder, `${algorithm}.txt`);
    expect(await (await fetch(assetUrl)).text()).toBe('hello');
  });

  it('is verified for bytes that come with the creation', async () => {
    const token = await prepare('at-once.txt');
    const create = (body: string) =>
      tus(server, 'POST', '/files/', {
        headers: {
          'upload-length': '5',
          'upload-metadata': `uploadToken ${Buffer.from(token).toString('base64')}`,
          'content-type': 'application/offset+octet-stream',
          'upload-checksum': checksum('sha1', 'hello'),
        },
        body,
      });
    expect((await create('hellx')).status).toBe(460);
    const created = await create('hello');
    expect([created.status, created.headers.get('upload-offset')]).toEqual([201, '5']);
    expect(await mediaNamed(server, folder, 'at-once.txt')).toMatchObject({ status: 'ready' });
  });

  it('that can not be verified is refused, and nothing of the chunk is kept', async () => {
    const location = await begin('unknown.txt');
    const right = checksum('sha1', 'hello');
    for (const value of ['crc32 AAAAAA==', 'sha1', 'sha1 AAAA', `${right} x`, `SHA1 ${right.slice(5)}`, `${right}, x`])
      expect([value, await refusal(await patch(location, 0, 'hello', value))]).toEqual([
        value,
        expect.objectContaining({ status: 400, code: 'VALIDATION_FAILED' }),
      ]);
    expect(await inTrailer(location)).toBe(400);
    expect(await offsetOf(server, location)).toBe('0');
  });

  it('keeps nothing of a chunk that breaks off', async () => {
    const location = await begin('broken.txt');
    await breakOff(location, { 'upload-checksum': checksum('sha1', 'hello') });
    await expect.poll(() => offsetOf(server, location)).toBe('0');
    expect((await patch(location, 0, 'hello', checksum('sha1', 'hello'))).status).toBe(204);
  });
});

const patchHeaders = {
  'tus-resumable': '1.0.0',
  'upload-offset': '0',
  'content-type': 'application/offset+octet-stream',
};

/** Sends a chunk with its checksum in a trailer, which is another extension. @returns the status */
const inTrailer = (location: string) =>
  new Promise<number>((resolve, reject) => {
    const headers = { ...patchHeaders, trailer: 'Upload-Checksum', 'transfer-encoding': 'chunked' };
    const request = httpRequest(new URL(location, server.url), { method: 'PATCH', headers });
    request.on('response', (answer) => resolve(answer.resume().statusCode ?? 0)).on('error', reject);
    request.addTrailers({ 'Upload-Checksum': checksum('sha1', 'xxxxx') });
    request.end('hello');
  });

/** Sends the first bytes of a chunk and ends the connection. */
const breakOff = (location: string, more: Record<string, string>) =>
  new Promise<void>((resolve) => {
    const headers = { ...patchHeaders, 'content-length': '5', ...more };
    const request = httpRequest(new URL(location, server.url), { method: 'PATCH', headers });
    request.on('error', () => resolve()).on('close', () => resolve());
    request.write('he', () => request.destroy());
  });
