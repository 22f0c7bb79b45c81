import { once } from 'node:events';
import { connect } from 'node:net';

import { beforeAll, describe, expect, it } from 'vitest';

import type { Server } from '../support/servers/server-process.ts';
import { send } from '../support/fixtures/people.ts';
import { sharedServer, type SharedServer } from '../support/servers/shared-server.ts';
import { createUpload, HOSTILE_PREFIXES, mediaNamed, patchUpload, tus } from '../support/tus.ts';
import { prepareUpload } from '../support/fixtures/uploads.ts';

let foyer: SharedServer;
const folder = 'uploads-test';
/** The default of UPLOAD_MAX_BYTES. */
const LARGEST = 50 * 1024 ** 3;

/** Closes requests that send nothing after five seconds instead of a minute, behind a proxy. */
let second: SharedServer;
beforeAll(async () => {
  foyer = await sharedServer();
  second = await sharedServer('second');
});

const prepare = (fileName: string, size = 5, server: Server = foyer) =>
  prepareUpload(server, { size, fileName, folder, mediaType: 'other' });
/** The path of a location at the second server, without the prefix of its proxy. */
const pathAtSecond = (location: string) => new URL(location).pathname.replace('/core', '');

async function begin(fileName: string, size = 5, server: Server = foyer) {
  const token = await prepare(fileName, size, server);
  const created = await createUpload(server, { token, size });
  expect(created.status).toBe(201);
  return { token, location: created.headers.get('location') ?? '' };
}

const refusal = async (answer: Response) => ({ status: answer.status, ...JSON.parse(await answer.text()) });

describe('an upload token', () => {
  it('is required, must be known, and prepared for that size; the refusal is the documented error body', async () => {
    const token = await prepare('sized.txt');

    expect(await refusal(await createUpload(foyer, { size: 5 }))).toMatchObject({
      status: 401,
      success: false,
      code: 'UPLOAD_TOKEN_MISSING',
      requestId: expect.any(String),
    });
    expect(await refusal(await createUpload(foyer, { token: 'guess', size: 5 }))).toMatchObject({
      status: 403,
      code: 'UPLOAD_TOKEN_INVALID',
    });
    expect(await refusal(await createUpload(foyer, { token, size: 6 }))).toMatchObject({
      status: 400,
      code: 'UPLOAD_SIZE_DIFFERS',
      preparedBytes: 5,
    });
  });

  it('is valid for one upload, also when twenty begin at once', async () => {
    const token = await prepare('raced.txt', 4);
    const answers = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const created = await createUpload(foyer, { token, size: 4 });
        if (created.status !== 201) return created.status;
        // An upload that yields to another may lose its connection.
        const patched = patchUpload(foyer, created.headers.get('location') ?? '', { offset: 0, body: 'race' });
        return patched.then(({ status }) => status).catch(() => 0);
      }),
    );

    expect(answers.filter((status) => status === 204)).toHaveLength(1);
    await mediaNamed(foyer, folder, 'raced.txt');
    const { json } = await send(foyer, 'GET', `/api/media/?folder=${folder}&limit=100`);
    expect(json.data.filter((media: { fileName: string }) => media.fileName.startsWith('raced'))).toHaveLength(1);
  });

  it('is refused once its upload is complete', async () => {
    const { token, location } = await begin('once.txt');
    expect((await patchUpload(foyer, location, { offset: 0, body: 'hello' })).status).toBe(204);

    expect(await refusal(await createUpload(foyer, { token, size: 5 }))).toMatchObject({
      status: 409,
      code: 'UPLOAD_TOKEN_USED',
    });
  });
});

describe('an upload', () => {
  it('may defer its length', async () => {
    const token = await prepare('later.txt');
    const created = await createUpload(foyer, { token });
    const location = created.headers.get('location') ?? '';
    expect((await patchUpload(foyer, location, { offset: 0, body: 'he' })).status).toBe(204);
    const head = await tus(foyer, 'HEAD', location);
    expect([head.headers.get('upload-offset'), head.headers.get('upload-defer-length')]).toEqual(['2', '1']);

    const rest = { offset: 2, body: 'llo', headers: { 'upload-length': '5' } };
    expect((await patchUpload(foyer, location, rest)).status).toBe(204);
    const media = await mediaNamed(foyer, folder, 'later.txt');
    expect(await (await fetch(media.assetUrl)).text()).toBe('hello');
  });

  it('with a deferred length other than the prepared one becomes no media item', async () => {
    const token = await prepare('lying.txt');
    const location = (await createUpload(foyer, { token })).headers.get('location') ?? '';

    const lie = { offset: 0, body: 'hey', headers: { 'upload-length': '3' } };
    expect((await patchUpload(foyer, location, lie)).status).toBe(400);
    const { json } = await send(foyer, 'GET', `/api/media/?folder=${folder}&limit=100`);
    expect(json.data.map((media: { fileName: string }) => media.fileName)).not.toContain('lying.txt');
  });

  it('above the size limit is refused, when it is prepared and when it is created', async () => {
    const body = {
      title: 'x',
      mediaType: 'other',
      mimeType: 'text/plain',
      fileSize: LARGEST + 1,
      originalName: 'x',
      fileName: 'x',
      tenant: 'acme',
    };
    const prepared = await send(foyer, 'POST', '/api/media/prepare', { body });
    expect([prepared.status, prepared.json.code]).toEqual([413, 'UPLOAD_TOO_LARGE']);
    const token = await prepare('small.txt');
    expect((await createUpload(foyer, { token, size: LARGEST + 1 })).status).toBe(413);
  });

  it('resumes where its client was cut off', async () => {
    const { location } = await begin('cut.txt', 10);
    const { port, hostname } = new URL(foyer.url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    socket.write(
      `PATCH ${location} HTTP/1.1\r\nHost: x\r\nTus-Resumable: 1.0.0\r\nUpload-Offset: 0\r\n` +
        'Content-Type: application/offset+octet-stream\r\nContent-Length: 10\r\n\r\n01234',
    );
    await new Promise<void>((resolve) => socket.once('drain', resolve).write('', () => resolve()));
    socket.on('error', () => undefined).destroy();

    const offset = Number((await tus(foyer, 'HEAD', location)).headers.get('upload-offset'));
    expect(offset).toBeLessThanOrEqual(5);
    const rest = '0123456789'.slice(offset);
    expect((await patchUpload(foyer, location, { offset, body: rest })).status).toBe(204);
    const media = await mediaNamed(foyer, folder, 'cut.txt');
    expect(await (await fetch(media.assetUrl)).text()).toBe('0123456789');
  });

  it('that stalls is cut off, and can resume later', async () => {
    const location = pathAtSecond((await begin('stalled.txt', 10, second)).location);
    const { port, hostname } = new URL(second.url);
    const socket = connect(Number(port), hostname);
    socket.write(
      `PATCH ${location} HTTP/1.1\r\nHost: x\r\nTus-Resumable: 1.0.0\r\nUpload-Offset: 0\r\n` +
        'Content-Type: application/offset+octet-stream\r\nContent-Length: 10\r\n\r\n01234',
    );
    socket.on('error', () => undefined).resume();
    await once(socket, 'close');

    expect((await tus(second, 'HEAD', location)).headers.get('upload-offset')).toBe('5');
    expect((await patchUpload(second, location, { offset: 5, body: '56789' })).status).toBe(204);
  });

  it('is refused a PATCH at another offset, in the documented error body', async () => {
    const { location } = await begin('offset.txt');

    expect(await refusal(await patchUpload(foyer, location, { offset: 3, body: 'xy' }))).toMatchObject({
      status: 409,
      success: false,
      message: expect.any(String),
    });
  });
});

describe('an upload behind a proxy that removes a prefix', () => {
  const reachedBy = async (server: Server, prefix: string) => {
    const token = await prepareUpload(server, { size: 5, fileName: 'behind.txt', folder, mediaType: 'other' });
    return createUpload(server, { token, size: 5, headers: { 'x-forwarded-prefix': prefix } });
  };
  const locationOf = async (answer: Response) => {
    expect([answer.status, await answer.text()]).toEqual([201, '']);
    return answer.headers.get('location') ?? '';
  };

  it('is found under the prefix when the proxy is trusted', async () => {
    const location = await locationOf(await reachedBy(foyer, '/core/media'));
    expect(location).toMatch(/^\/core\/media\/files\/[^/]+$/);
    const there = location.replace('/core/media', '');
    expect((await patchUpload(foyer, there, { offset: 0, body: 'hello' })).status).toBe(204);
    for (const prefix of HOSTILE_PREFIXES) {
      const answer = await reachedBy(foyer, prefix);
      expect([prefix, answer.status, answer.headers.get('location')]).toEqual([prefix, 400, null]);
    }
  });

  it('has the address of UPLOAD_URL, and files that of ASSET_BASE_URL', async () => {
    const location = await locationOf(await reachedBy(second, '/evil'));
    expect(location).toMatch(/^https:\/\/up\.test\/core\/files\/[^/]+$/);
    expect((await patchUpload(second, pathAtSecond(location), { offset: 0, body: 'hello' })).status).toBe(204);

    const { storageKey, assetUrl } = await mediaNamed(second, folder, 'behind.txt');
    expect(assetUrl).toBe(`https://foyer.test/core/assets/media/${storageKey}`);
    const presigned = (await send(second, 'GET', `/assets/media/${storageKey}/presign`)).json.data.url;
    expect(presigned).toContain(`https://foyer.test/core/assets/${storageKey}?`);
  });
});

describe('the id of an upload', () => {
  const listsOf = async (id: string) => {
    const prefixes = ['', 'uploads', 'uploads/', `uploads/${id.slice(0, 4)}`, `uploads/${id}`, `%/${id.slice(0, 4)}`];
    const audits = prefixes.map((prefix) => `/api/media/storage-audit?prefix=${encodeURIComponent(prefix)}`);
    const answers = [...audits, `/api/media/?folder=${folder}&limit=100`].map((path) => send(foyer, 'GET', path));
    return Promise.all(answers);
  };

  it('is a secret of its client: neither a list nor the log contains it or its beginning', async () => {
    const { location } = await begin('secret.txt', 10);
    const id = location.split('/').at(-1) ?? '';
    expect((await patchUpload(foyer, location, { offset: 0, body: '01234' })).status).toBe(204);
    const lists = await listsOf(id);
    expect(lists.map(({ text }) => text).filter((text) => text.includes(id))).toEqual([]);
    const counts = lists.slice(0, 6).map(({ json }) => [json.data.objectCount > 0, json.data.mediaCount > 0]);
    expect(counts.slice(0, 3).map(([objects]) => objects)).toEqual([true, true, true]);
    expect(counts.slice(3)).toEqual(Array.from({ length: 3 }, () => [false, false]));

    const last = await patchUpload(foyer, location, { offset: 5, body: '56789' });
    expect(last.status).toBe(204);
    await mediaNamed(foyer, folder, 'secret.txt');
    expect((await listsOf(id)).map(({ text }) => text).filter((text) => text.includes(id))).toEqual([]);
    const printed = await foyer.printed();
    const ours = printed.split('\n').filter((line) => line.includes(last.headers.get('x-request-id') ?? '?'));
    expect(ours.join('\n')).toContain('/files/[secret]');
    expect(printed).not.toContain(id);
  });
});

describe('a file of a type that nobody recognizes', () => {
  it.each([{ mediaType: '', mimeType: '' }, {}])('is uploaded as other, without a preview: %j', async (named) => {
    const fileName = `strange-${Object.keys(named).length}.xyz`;
    const body = { title: 'x', fileSize: 5, originalName: fileName, fileName, tenant: 'acme', folder, ...named };
    const prepared = await send(foyer, 'POST', '/api/media/prepare', { body });
    expect(prepared.status).toBe(201);
    const created = await createUpload(foyer, { token: prepared.json.data.uploadToken, size: 5 });
    await patchUpload(foyer, created.headers.get('location') ?? '', { offset: 0, body: 'hello' });
    expect(await mediaNamed(foyer, folder, fileName)).toMatchObject({
      status: 'ready',
      mediaType: 'other',
      mimeType: 'application/octet-stream',
      thumbnailKey: null,
    });
  });
});

describe('the name of an upload', () => {
  it.each(['../x', 'a/b', 'a\\b', '.hidden', '..', 'a\u0000b', 'x'.repeat(300)])('is refused: %j', async (fileName) => {
    const body = { title: 'x', mediaType: 'other', mimeType: 'text/plain', fileSize: 1, originalName: 'x' };
    const named = { ...body, fileName, tenant: 'acme' };
    const inFolder = { ...body, fileName: 'x', tenant: 'acme', folder: `a/${fileName}/..` };
    const ofTenant = { ...body, fileName: 'x', tenant: fileName };
    for (const one of [named, inFolder, ofTenant]) {
      const { status, json } = await send(foyer, 'POST', '/api/media/prepare', { body: one });
      expect([status, ['VALIDATION_FAILED', 'NUL_IN_TEXT']]).toEqual([400, expect.arrayContaining([json.code])]);
    }
  });
});
