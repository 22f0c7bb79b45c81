import { createHash } from 'node:crypto';
import { request as httpRequest } from 'node:http';

import { beforeAll, describe, expect, it } from 'vitest';

import { send } from '../support/fixtures/people.ts';
import { sharedServer, type SharedServer } from '../support/servers/shared-server.ts';
import { createUpload, mediaNamed, patchUpload, tus } from '../support/tus.ts';
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

const refusal = async (answer: Response) => ({ status: answer.status, ...JSON.parse(await answer.text()) });

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

/** The value of `Upload-Checksum`. */
const checksum = (algorithm: string, text: string) =>
  `${algorithm} ${createHash(algorithm).update(text).digest('base64')}`;

const offsetOf = async (location: string) => (await tus(server, 'HEAD', location)).headers.get('upload-offset');

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
    expect(await offsetOf(location)).toBe('2');

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
    expect(await offsetOf(location)).toBe('0');
  });

  it('keeps nothing of a chunk that breaks off', async () => {
    const location = await begin('broken.txt');
    await breakOff(location, { 'upload-checksum': checksum('sha1', 'hello') });
    await expect.poll(() => offsetOf(location)).toBe('0');
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
    expect(await offsetOf(location)).toBe('0');
    const stated = { offset: 0, body: 'hello', headers: { 'upload-length': '5' } };
    expect((await patchUpload(server, location, stated)).status).toBe(204);
  });

  it('never exceeds what was prepared while it is not stated', async () => {
    const location = await begun('unstated.txt');
    expect((await patchUpload(server, location, { offset: 0, body: 'hel' })).status).toBe(204);
    expect(await refusal(await patchUpload(server, location, { offset: 3, body: 'lo!' }))).toMatchObject({
      status: 413,
    });
    expect(await offsetOf(location)).toBe('3');

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
