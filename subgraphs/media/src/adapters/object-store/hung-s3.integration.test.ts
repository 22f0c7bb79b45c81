import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { ObjectStore } from '#ports/object-store.ts';
import { s3ObjectStore } from './s3.ts';

const BYTES = 4 * 2 ** 20;
const TIMEOUT_MS = 300;

/** How the S3 server behaves: it answers, never answers, stops in the middle of an object, or sends a byte from time to time. */
let behaviour: 'well' | 'silent' | 'stops' | 'drips' = 'well';

function answer({ method, url }: IncomingMessage, response: ServerResponse): void {
  if (behaviour === 'silent') return;
  const isObject = url?.startsWith('/media/film') === true;
  response.setHeader('etag', '"1"').setHeader('last-modified', new Date(0).toUTCString());
  response.setHeader('content-length', isObject ? BYTES : 0);
  if (!isObject || method === 'HEAD') response.end();
  else if (behaviour === 'stops') response.write(Buffer.alloc(10));
  else if (behaviour === 'drips') drip(response);
  else response.end(Buffer.alloc(BYTES));
}

function drip(response: ServerResponse): void {
  const dripping = setInterval(() => response.write('x'), TIMEOUT_MS / 10);
  response.once('close', () => clearInterval(dripping));
}

const server = createServer(answer);
let store: ObjectStore;
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const endpoint = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const account = { region: 'us-east-1', accessKey: 'key', secretKey: 'secret' };
  store = s3ObjectStore({ endpoint, publicEndpoint: endpoint, bucket: 'media', timeoutMs: TIMEOUT_MS, ...account });
});
afterAll(() => {
  server.close().closeAllConnections();
});

const film = async () => (await (await store.open('film'))?.read()) ?? Readable.from([]);

const away = { reason: 'STORE_AWAY' };

describe('an S3 server that hangs', () => {
  it('holds no call for longer than the configured time', async () => {
    behaviour = 'silent';
    await expect(store.stat('film')).rejects.toMatchObject(away);
    await expect(store.open('film')).rejects.toMatchObject(away);
    await expect(store.put('film', Buffer.from('x'))).rejects.toMatchObject(away);
    await expect(store.check()).rejects.toMatchObject(away);
    behaviour = 'well';
    expect(await store.stat('film')).toMatchObject({ size: BYTES });
  });

  it('holds no reader who opened an object before', async () => {
    behaviour = 'well';
    const object = await store.open('film');
    behaviour = 'silent';
    await expect(object?.read()).rejects.toMatchObject(away);
  });

  it('ends an object that stops in the middle', async () => {
    behaviour = 'stops';
    await expect(buffer(await film())).rejects.toThrow(/silent/);
  });

  it('ends an object that comes in drips', async () => {
    behaviour = 'drips';
    // On a busy machine two drips may be so far apart that they count as silence.
    await expect(buffer(await film())).rejects.toThrow(/The object store (sent \d+ bytes in|was silent)/);
  });

  it('is not a reader who pauses: a player may stop for longer than that', async () => {
    behaviour = 'well';
    const stream = await film();
    const [first] = (await once(stream, 'data')) as [Buffer];
    stream.pause();
    behaviour = 'stops';
    await expect(buffer(await film())).rejects.toThrow(/silent/); // so the time has passed for the first reader, too

    expect(first.length + (await buffer(stream)).length).toBe(BYTES);
  });
});
