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

const prepare = (fileName: string) => prepareUpload(server, { size: 5, fileName, folder, mediaType: 'other' });

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
      .poll(async () => (await server.printed()).split('\n').filter((line) => line.includes(id)), { timeout: 30_000 })
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
