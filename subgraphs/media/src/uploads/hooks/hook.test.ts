import { describe, expect, it } from 'vitest';

import { isOurHook, signatureOf } from './credentials.ts';
import { readHook } from './hook.ts';

const upload = {
  ID: 'abc+multipart',
  Size: 5,
  SizeIsDeferred: false,
  Offset: 5,
  MetaData: { filename: 'a.mp4', filetype: 'video/mp4', uploadToken: 'secret' },
  IsPartial: false,
  IsFinal: false,
  PartialUploads: null,
  Storage: { Type: 's3store', Bucket: 'media', Key: 'uploads/abc' },
};
const understood = { id: 'abc', size: 5, isPartial: false, token: 'secret', key: 'uploads/abc' };

describe('hooks of upload servers', () => {
  it('are read as tusd 2 sends them', () => {
    const body = {
      Type: 'post-finish',
      Event: { Upload: upload, HTTPRequest: { Method: 'PATCH', URI: '/files/abc' } },
    };

    expect(readHook(body, undefined)).toEqual({ version: 2, type: 'post-finish', upload: understood });
  });

  it('are read as tusd 1 sends them, with their type in a header', () => {
    expect(readHook({ Upload: upload, HTTPRequest: {} }, 'post-finish')).toEqual({
      version: 1,
      type: 'post-finish',
      upload: understood,
    });
  });

  it('have no id before an upload is created, and only then', () => {
    const unborn = { ...upload, ID: '', Offset: 0, Storage: null };
    const second = (Type: string) => readHook({ Type, Event: { Upload: unborn, HTTPRequest: {} } }, undefined);
    const first = (name: string) => readHook({ Upload: unborn, HTTPRequest: {} }, name);
    for (const read of [first, second]) {
      expect(read('pre-create')?.upload).toEqual({ ...understood, id: '', key: undefined });
      for (const type of [
        'post-create',
        'post-receive',
        'pre-finish',
        'post-finish',
        'pre-terminate',
        'post-terminate',
      ])
        expect([type, read(type)]).toEqual([type, null]);
    }
  });

  it('need no upload when we ignore them', () => {
    const second = (Type: string, Event: object | undefined) => readHook({ Type, Event }, undefined);
    const first = (name: string) => readHook({ HTTPRequest: {} }, name);
    for (const type of ['post-receive', 'post-something']) {
      const read = [second(type, { Upload: null }), second(type, {}), second(type, undefined), first(type)];
      expect(read.map((hook) => hook && [hook.type, hook.upload])).toEqual(read.map(() => [type, null]));
    }
    for (const type of ['pre-create', 'post-create', 'pre-finish', 'post-finish', 'pre-terminate', 'post-terminate'])
      expect([type, second(type, {}), first(type)]).toEqual([type, null, null]);
  });

  it('have no size while the client has not stated it', () => {
    const deferred = { ...upload, Size: 0, SizeIsDeferred: true };
    expect(readHook({ Upload: deferred }, 'pre-create')?.upload?.size).toBeUndefined();
  });

  it('are read from a file store, which has no key', () => {
    const body = {
      Type: 'post-finish',
      Event: { Upload: { ...upload, ID: 'abc', Storage: { Type: 'filestore', Path: '/x/abc' } } },
    };

    expect(readHook(body, undefined)?.upload).toMatchObject({ id: 'abc', key: undefined });
  });

  it.each([undefined, null, [], {}, { Type: 'post-finish' }, { Upload: {} }, { Upload: upload }])(
    'are not %j',
    (body) => {
      expect(readHook(body, undefined)).toBeNull();
    },
  );
});

describe('the sender of a hook', () => {
  const now = new Date('2030-01-01T00:00:00Z');
  const stamp = String(now.getTime() / 1000);
  const raw = Buffer.from('{"Type":"post-finish"}');
  const secret = 'shared';
  const is = (headers: Record<string, string>, body = raw) => isOurHook(headers, body, { secret, now });
  const basic = (password: string) => ({
    authorization: `Basic ${Buffer.from(`tusd:${password}`).toString('base64')}`,
  });
  const signed = (timestamp: string) => ({
    'x-hook-timestamp': timestamp,
    'x-hook-signature': signatureOf(raw, timestamp, secret),
  });

  it('is trusted with the shared secret, or with a signature over the bytes', () => {
    expect([is(basic('shared')), is(signed(stamp))]).toEqual([true, true]);
  });

  it('is not trusted without them, with another secret, late, or with other bytes', () => {
    expect(is({})).toBe(false);
    expect(is(basic('guess'))).toBe(false);
    expect(is(signed(String(Number(stamp) - 301)))).toBe(false);
    expect(is(signed(stamp), Buffer.from('{}'))).toBe(false);
    expect(is({ ...signed(stamp), 'x-hook-timestamp': String(Number(stamp) + 1) })).toBe(false);
  });
});
