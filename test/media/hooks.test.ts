import { createHmac } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import type { Server } from '../support/servers/server-process.ts';
import type { Json } from '../support/json.ts';
import { sharedServer, type SharedServer } from '../support/servers/shared-server.ts';
import { HOOK_SECRET } from '../support/servers/shared-settings.ts';
import { createUpload, mediaNamed, patchUpload } from '../support/tus.ts';
import { prepareUpload } from '../support/fixtures/uploads.ts';
import { until } from '../support/until.ts';

const folder = 'hooks-test';

let foyer: SharedServer;

beforeAll(async () => {
  foyer = await sharedServer();
});

const prepare = (fileName: string, server: Server = foyer) =>
  prepareUpload(server, { size: 5, fileName, folder, mediaType: 'other' });

const basic = { authorization: `Basic ${Buffer.from(`tusd:${HOOK_SECRET}`).toString('base64')}` };

async function tell(body: unknown, headers: Record<string, string> = basic, { url }: Server = foyer) {
  const answer = await fetch(`${url}/hooks/tusd`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const json: Json = await answer.json();
  return { status: answer.status, type: answer.headers.get('content-type') ?? '', json };
}

/** An upload that tusd has stored in the bucket, and its hook. */
async function stored(name: string, uploadToken: string, { dataDir } = foyer) {
  const file = join(dataDir, 'media/media/uploads', name);
  await mkdir(join(file, '..'), { recursive: true });
  await writeFile(file, 'hello');
  return {
    ID: `${name}+multipart`,
    Size: 5,
    SizeIsDeferred: false,
    Offset: 5,
    MetaData: { filename: name, filetype: 'text/plain', uploadToken },
    IsPartial: false,
    IsFinal: false,
    PartialUploads: null,
    Storage: { Type: 's3store', Bucket: 'media', Key: `uploads/${name}` },
  };
}
const request = { Method: 'PATCH', URI: '/files/x', RemoteAddr: '10.0.0.1:4', Header: { 'User-Agent': ['tus'] } };
const second = (Type: string, Upload: object) => ({ Type, Event: { Upload, HTTPRequest: request } });
const first = (Upload: object) => ({ Upload, HTTPRequest: request });

describe('the hook of an upload server', () => {
  it('completes an upload of tusd 2, once, however often it is reported', async () => {
    const upload = await stored('second', await prepare('second.txt'));
    for (const type of ['post-create', 'post-receive', 'post-finish', 'post-finish']) {
      const { status, type: answered } = await tell(second(type, upload));
      expect([type, status]).toEqual([type, 200]);
      expect(answered).toContain('application/json'); // tusd treats any other answer as a failure
    }
    expect(await mediaNamed(foyer, folder, 'second.txt')).toMatchObject({ status: 'ready', fileSize: 5 });
  });

  it('completes an upload of tusd 1, which names the type in a header', async () => {
    const upload = await stored('first', await prepare('first.txt'));
    for (const name of ['post-create', 'post-finish'])
      expect((await tell(first(upload), { ...basic, 'hook-name': name })).status).toBe(200);
    expect(await mediaNamed(foyer, folder, 'first.txt')).toMatchObject({ status: 'ready' });
  });

  it('is accepted only with a signature over its bytes', async () => {
    const upload = await stored('signed', await prepare('signed.txt'));
    const body = second('post-finish', upload);
    const timestamp = String(Math.floor(Date.now() / 1000));
    const signed = (secret: string) => ({
      'x-hook-timestamp': timestamp,
      'x-hook-signature': createHmac('sha256', secret)
        .update(`${timestamp}.${JSON.stringify(body)}`)
        .digest('hex'),
    });
    expect((await tell(body, signed('a guess'))).json).toMatchObject({ code: 'HOOK_UNAUTHENTICATED' });
    expect((await tell(body, {})).status).toBe(401);
    expect((await tell(body, signed(HOOK_SECRET))).status).toBe(200);
    expect(await mediaNamed(foyer, folder, 'signed.txt')).toMatchObject({ status: 'ready' });
  });

  it('creates no media item for a missing object, nor for a key outside the bucket', async () => {
    const upload = await stored('lost', await prepare('lost.txt'));
    for (const Key of ['uploads/not-there', '../../secrets.json', '/etc/passwd', 'uploads/../../secrets.json']) {
      const token = await prepare('lost.txt');
      const lie = { ...upload, ID: `lost-${Key.length}`, Storage: { Key }, MetaData: { uploadToken: token } };
      const { status } = await tell(second('post-finish', lie));
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
    }
  });

  it('refuses an id that would be a path', async () => {
    const upload = await stored('crooked', await prepare('crooked.txt'));
    for (const ID of ['', '.', '..', '..+multipart', '../../secrets.json', 'a/b', String.raw`a\b`, 'a\0b'])
      expect((await tell(second('post-finish', { ...upload, ID }))).status).toBe(400);
  });

  it('refuses a body that is not a hook', async () => {
    for (const body of [null, [], 'text', {}, { Type: 'post-finish' }, { Type: 'post-finish', Event: { Upload: {} } }])
      expect((await tell(body)).status).toBe(400);
  });
});

describe('an expired upload token', () => {
  it('begins no upload, here or with tusd; an upload that began in time continues', async () => {
    // A tenth of a minute instead of ten. Both servers share the store.
    const [first, hasty] = [await sharedServer('first'), await sharedServer('second')];
    const unseen = await stored('unseen', await prepare('unseen.txt', hasty), first); // whose `pre-create` never came
    const late = await prepare('late.txt', hasty);
    const begun = await createUpload(hasty, { token: await prepare('early.txt', hasty), size: 5 });
    const upload = await stored('far', await prepare('far.txt', hasty), first);
    expect((await tell(second('post-create', upload), basic, hasty)).status).toBe(200);

    const refused = await until('its time to be over', async () => {
      const answer = await createUpload(hasty, { token: late, size: 5 });
      if (answer.status !== 201) return answer;
      // Nothing has arrived for it: a client may begin again with the same token.
      return undefined;
    });
    expect(refused.status).toBe(403);
    expect(refused.headers.get('content-type')).toContain('application/json');
    const told = await refused.json();
    expect(told).toMatchObject({ success: false, code: 'UPLOAD_TOKEN_INVALID' });
    expect(told).toMatchObject({ message: expect.not.stringMatching(/ten|minute/) }); // here it is shorter
    const expired = { ...upload, ID: '', MetaData: { uploadToken: late } };
    expect((await tell(second('pre-create', expired), basic, hasty)).json).toMatchObject({
      RejectUpload: true,
      HTTPResponse: { StatusCode: 403 },
    });
    for (const hook of ['post-create', 'post-finish'])
      expect((await tell(second(hook, unseen), basic, hasty)).json).toMatchObject({ code: 'UPLOAD_TOKEN_INVALID' });

    const location = new URL(begun.headers.get('location') ?? '').pathname.replace('/core', '');
    expect((await patchUpload(hasty, location, { offset: 0, body: 'hello' })).status).toBe(204);
    expect((await tell(second('post-finish', upload), basic, hasty)).status).toBe(200);
    for (const name of ['early.txt', 'far.txt'])
      expect(await mediaNamed(hasty, folder, name)).toMatchObject({ status: 'ready' });
  });
});
