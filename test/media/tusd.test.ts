import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import type { Json } from '../support/json.ts';
import { sharedServer, type SharedServer } from '../support/servers/shared-server.ts';
import { HOOK_SECRET } from '../support/servers/shared-settings.ts';
import { mediaNamed } from '../support/tus.ts';
import { prepareUpload } from '../support/fixtures/uploads.ts';

/*
 * The hooks of tusd, by its documentation (https://tus.github.io/tusd/advanced-topics/hooks):
 * version 2 names the type of a hook in its body, version 1 in a header; neither has an id at pre-create.
 */

const folder = 'tusd';
/** The part of an answer that tusd reads. */
const ANSWER_LIMIT_BYTES = 5 * 1024;

let server: SharedServer;

beforeAll(async () => {
  server = await sharedServer();
});

interface Upload {
  ID: string;
  Size: number;
  SizeIsDeferred: boolean;
  Offset: number;
  MetaData: Record<string, string> | null;
  IsPartial: boolean;
  IsFinal: boolean;
  PartialUploads: string[] | null;
  Storage: Record<string, string> | null;
}

/** Every hook of tusd, those that it sends by default among them; `pre-terminate` came with version 2. */
const hooks = [
  'pre-create',
  'post-create',
  'post-receive',
  'pre-finish',
  'post-finish',
  'pre-terminate',
  'post-terminate',
] as const;
type Hook = (typeof hooks)[number];

const HTTPRequest = {
  Method: 'POST',
  URI: '/files/',
  RemoteAddr: '10.0.0.7:40112',
  Header: { Host: ['up.test'], 'Tus-Resumable': ['1.0.0'], 'Upload-Length': ['5'] },
};

const versions = {
  'tusd 2': (hook: Hook, Upload: Upload) => ({ body: { Type: hook, Event: { Upload, HTTPRequest } }, headers: {} }),
  'tusd 1': (hook: Hook, Upload: Upload) => ({ body: { Upload, HTTPRequest }, headers: { 'hook-name': hook } }),
};

async function send({ body, headers }: { body: object; headers: Record<string, string> }, secret = HOOK_SECRET) {
  const answer = await fetch(`${server.url}/hooks/tusd`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Basic ${Buffer.from(`tusd:${secret}`).toString('base64')}`,
      ...headers,
    },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  expect(Buffer.byteLength(text)).toBeLessThan(ANSWER_LIMIT_BYTES);
  expect(answer.headers.get('content-type')).toContain('application/json'); // any other answer is an error to tusd
  const json: Json = JSON.parse(text);
  return { status: answer.status, json };
}

const prepare = (fileName: string) => prepareUpload(server, { size: 5, fileName, folder, mediaType: 'other' });

/** An upload before it is created: without an id, and stored nowhere. */
const wanted = (uploadToken?: string, differs: Partial<Upload> = {}): Upload => ({
  ID: '',
  Size: 5,
  SizeIsDeferred: false,
  Offset: 0,
  MetaData: { filename: 'a file', filetype: 'text/plain', ...(uploadToken && { uploadToken }) },
  IsPartial: false,
  IsFinal: false,
  PartialUploads: null,
  Storage: null,
  ...differs,
});

/** The same after tusd has stored it in our bucket. */
async function created(upload: Upload, name: string): Promise<Upload> {
  const file = join(server.dataDir, 'media/media/uploads', name);
  await mkdir(join(file, '..'), { recursive: true });
  await writeFile(file, 'hello');
  const Storage = { Type: 's3store', Bucket: 'media', Key: `uploads/${name}` };
  return { ...upload, ID: `${name}+2~multipart`, Storage };
}

describe.each(Object.entries(versions))('%s', (version, say) => {
  const name = (what: string) => `${what}-${version.replace(' ', '-')}`;
  const told = (hook: Hook, upload: Upload) => send(say(hook, upload));
  /** The answer as the client of tusd sees it: version 1 forwards ours, version 2 the response in it. */
  const refusalOf = async (upload: Upload, hook: 'pre-create' | 'pre-finish' | 'pre-terminate' = 'pre-create') => {
    const { status, json } = await told(hook, upload);
    if (version === 'tusd 1') return { status, code: json.code };
    const { HTTPResponse: response, ...rejection } = json;
    const rejections = {
      'pre-create': { RejectUpload: true },
      'pre-finish': {},
      'pre-terminate': { RejectTermination: true },
    };
    expect([status, rejection]).toEqual([200, rejections[hook]]);
    const { StatusCode, Body, Header } = response;
    expect(Header['Content-Type']).toContain('application/json');
    return { status: StatusCode, code: JSON.parse(Body).code };
  };

  it('is let continue at each hook of an upload, which becomes a media item', async () => {
    const unborn = wanted(await prepare(name('whole')));
    expect(await told('pre-create', unborn)).toEqual({ status: 200, json: {} });
    const upload = await created(unborn, name('whole'));
    for (const hook of ['post-create', 'post-receive', 'pre-finish', 'post-finish'] as const) {
      const Offset = { 'post-create': 0, 'post-receive': 3, 'pre-finish': 5, 'post-finish': 5 }[hook];
      expect([hook, await told(hook, { ...upload, Offset })]).toEqual([hook, { status: 200, json: {} }]);
    }
    expect(await mediaNamed(server, folder, name('whole'))).toMatchObject({ status: 'ready', fileSize: 5 });
    expect(await refusalOf(unborn)).toEqual({ status: 409, code: 'UPLOAD_TOKEN_USED' });
  });

  it('is told to refuse a creation, with the response', async () => {
    const token = await prepare(name('refused'));
    expect(await refusalOf(wanted())).toEqual({ status: 401, code: 'UPLOAD_TOKEN_MISSING' });
    expect(await refusalOf(wanted(undefined, { MetaData: null }))).toEqual({
      status: 401,
      code: 'UPLOAD_TOKEN_MISSING',
    });
    expect(await refusalOf(wanted('a guess'))).toEqual({ status: 403, code: 'UPLOAD_TOKEN_INVALID' });
    expect(await refusalOf(wanted(token, { Size: 6 }))).toEqual({ status: 400, code: 'UPLOAD_SIZE_DIFFERS' });
    expect(await told('pre-create', wanted(token))).toEqual({ status: 200, json: {} });

    expect((await told('post-create', await created(wanted(token), name('refused')))).status).toBe(200);
    expect(await refusalOf(wanted(token))).toEqual({ status: 409, code: 'UPLOAD_TOKEN_USED' });
  });

  it('may create an upload with a deferred length', async () => {
    const deferred = wanted(await prepare(name('deferred')), { Size: 0, SizeIsDeferred: true });
    expect(await told('pre-create', deferred)).toEqual({ status: 200, json: {} });
    const upload = await created(deferred, name('deferred'));
    expect((await told('post-create', upload)).status).toBe(200);
    expect((await told('post-finish', { ...upload, Size: 5, SizeIsDeferred: false, Offset: 5 })).status).toBe(200);
    expect(await mediaNamed(server, folder, name('deferred'))).toMatchObject({ status: 'ready' });
  });

  it('is told to refuse the end of an upload whose deferred length is not the prepared one', async () => {
    const deferred = wanted(await prepare(name('other-length')), { Size: 0, SizeIsDeferred: true });
    const upload = await created(deferred, name('other-length'));
    const ended = (Size: number, differs: Partial<Upload> = {}) => ({
      ...upload,
      Size,
      SizeIsDeferred: false,
      Offset: Size,
      ...differs,
    });
    const rejected = { status: 422, code: 'UPLOAD_REJECTED' };
    expect(await refusalOf(ended(6), 'pre-finish')).toEqual(rejected);
    expect((await told('post-create', upload)).status).toBe(200);
    expect(await refusalOf(ended(4), 'pre-finish')).toEqual(rejected);
    expect(await refusalOf(ended(5, { ID: 'another' }), 'pre-finish')).toEqual(rejected);
    expect(await refusalOf(ended(5, { MetaData: { uploadToken: 'a guess' } }), 'pre-finish')).toEqual(rejected);
    expect(await told('pre-finish', ended(5))).toEqual({ status: 200, json: {} });
  });

  it('may concatenate parts, which are no uploads by themselves', async () => {
    const part = wanted(undefined, { IsPartial: true, MetaData: null, Size: 3 });
    expect(await told('pre-create', part)).toEqual({ status: 200, json: {} });
    const stored = await created(part, name('part'));
    for (const hook of ['post-create', 'post-receive', 'post-finish'] as const)
      expect(await told(hook, stored)).toEqual({ status: 200, json: {} });

    const joined = wanted(await prepare(name('joined')), { IsFinal: true, PartialUploads: [stored.ID, stored.ID] });
    expect(await told('pre-create', joined)).toEqual({ status: 200, json: {} });
    const whole = await created({ ...joined, Offset: 5 }, name('joined'));
    for (const hook of ['post-create', 'post-finish'] as const) expect((await told(hook, whole)).status).toBe(200);
    expect(await mediaNamed(server, folder, name('joined'))).toMatchObject({ status: 'ready' });
  });

  it('may be called again with the same token when an upload was given up', async () => {
    const unborn = wanted(await prepare(name('given-up')));
    const first = await created(unborn, name('given-up'));
    for (const hook of ['post-create', 'pre-terminate', 'post-terminate', 'post-terminate'] as const)
      expect(await told(hook, first)).toEqual({ status: 200, json: {} });

    expect(await told('pre-create', unborn)).toEqual({ status: 200, json: {} });
    const second = await created(unborn, name('given-up-again'));
    for (const hook of ['post-create', 'post-finish'] as const) expect((await told(hook, second)).status).toBe(200);
    expect(await mediaNamed(server, folder, name('given-up'))).toMatchObject({ status: 'ready' });

    expect(await refusalOf(second, 'pre-terminate')).toEqual({ status: 409, code: 'UPLOAD_FINISHED' });
    // A tusd that does not ask before only removes its copy.
    expect((await told('post-terminate', second)).status).toBe(200);
    expect(await mediaNamed(server, folder, name('given-up'))).toMatchObject({ status: 'ready' });
  });

  it('is refused without the id of an existing upload', async () => {
    const upload = wanted(await prepare(name('nameless')));
    for (const hook of hooks.filter((each) => each !== 'pre-create'))
      expect([hook, (await told(hook, upload)).status]).toEqual([hook, 400]);
  });

  it('is let continue without an upload at ignored hooks, and refused at others', async () => {
    const without = async (hook: Hook) => {
      const { body, headers } = say(hook, wanted());
      const bare = JSON.parse(JSON.stringify(body, (key, value: unknown) => (key === 'Upload' ? undefined : value)));
      return send({ body: bare as object, headers });
    };
    expect(await without('post-receive')).toEqual({ status: 200, json: {} });
    for (const hook of hooks.filter((each) => each !== 'post-receive'))
      expect([hook, (await without(hook)).status]).toEqual([hook, 400]);
  });

  it('may send its hooks late, twice and in another order', async () => {
    const unborn = wanted(await prepare(name('disordered')));
    const upload = await created(unborn, name('disordered'));
    for (const hook of ['post-receive', 'post-finish', 'post-create', 'post-finish', 'post-create'] as const)
      expect([hook, await told(hook, { ...upload, Offset: 5 })]).toEqual([hook, { status: 200, json: {} }]);
    expect(await mediaNamed(server, folder, name('disordered'))).toMatchObject({ status: 'ready' });
  });

  it('begins one upload with a token, also when its client tries twice at once', async () => {
    const unborn = wanted(await prepare(name('twice')));
    for (const answer of await Promise.all([told('pre-create', unborn), told('pre-create', unborn)]))
      expect(answer).toEqual({ status: 200, json: {} }); // neither is bound yet
    const [first, second] = [await created(unborn, name('twice-1')), await created(unborn, name('twice-2'))];
    expect((await told('post-create', first)).status).toBe(200);
    expect((await told('post-create', second)).json.code).toBe('UPLOAD_TOKEN_INVALID');
    expect((await told('post-finish', second)).json.code).toBe('UPLOAD_TOKEN_INVALID');
    expect((await told('post-finish', first)).status).toBe(200);
    expect(await mediaNamed(server, folder, name('twice'))).toMatchObject({ status: 'ready' });
  });

  it('is not believed with another secret, at any hook', async () => {
    const upload = await created(wanted(await prepare(name('forged'))), name('forged'));
    for (const hook of hooks) {
      const { status, json } = await send(say(hook, upload), 'a guess');
      expect([hook, status, json.code]).toEqual([hook, 401, 'HOOK_UNAUTHENTICATED']);
    }
  });

  it('is let continue at an unknown hook', async () => {
    const upload = await created(wanted(await prepare(name('unknown'))), name('unknown'));
    expect(await told('post-something' as Hook, upload)).toEqual({ status: 200, json: {} });
  });
});
