import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { answerErrors } from '@foyer/shared/http/error-body';
import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { s3ObjectStore } from '#adapters/object-store/s3.ts';
import { onDisk, openSmallLibrary, type SmallLibrary } from '../testing/library-fixture.ts';
import { assetRoutes } from './routes.ts';

const TIMEOUT_MS = 1_000;

/** Before which of its answers the S3 server hesitates, by less than its timeout; or whether it sends headers only. */
let behaviour: 'well' | 'hesitates' | 'headers only' = 'well';

function answer({ method, url }: IncomingMessage, response: ServerResponse): void {
  const isFilm = url?.startsWith('/media/film') === true;
  const isMissing = url?.includes('/missing') === true;
  if (isMissing) response.statusCode = 404;
  response.setHeader('etag', '"1"').setHeader('last-modified', new Date(0).toUTCString());
  response.setHeader('content-length', isFilm ? 4 : 0);
  const send = () => {
    if (isFilm && method === 'GET' && behaviour === 'headers only') response.flushHeaders();
    else response.end(isFilm && method === 'GET' ? 'film' : undefined);
  };
  if ((isFilm || isMissing) && behaviour === 'hesitates') setTimeout(send, 0.7 * TIMEOUT_MS);
  else send();
}

const server = createServer(answer);
const app = Fastify();
let library: SmallLibrary;

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const endpoint = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const account = { region: 'us-east-1', accessKey: 'key', secretKey: 'secret' };
  const at = { endpoint, publicEndpoint: endpoint, bucket: 'media' };
  const store = s3ObjectStore({ ...at, timeoutMs: TIMEOUT_MS, ...account });
  library = await openSmallLibrary(onDisk);
  answerErrors(app, library.needs.log);
  const linkSecrets = ['secret'] as const;
  const rules = { bucket: 'media', linkSecrets, presignSeconds: 300, hiddenPrefix: 'uploads/' };
  const accessOf = async () => 'everybody' as const;
  await app.register(assetRoutes({ ...library.needs, store, ...rules, accessOf, firstByteMs: TIMEOUT_MS }));
});
afterAll(async () => {
  await app.close();
  server.close().closeAllConnections();
  await library.close();
});

async function film(path = 'film') {
  const { statusCode, headers, body } = await app.inject(`/assets/media/${path}`);
  if (statusCode === 200) return { statusCode, body };
  return { statusCode, code: (JSON.parse(body) as { code: string }).code, etag: headers.etag };
}

/** On a busy machine it may take too long. */
const isAnswered = () => expect.poll(() => film(), { timeout: 60_000 }).toEqual({ statusCode: 200, body: 'film' });

describe('an asset whose S3 server is slow', () => {
  it.each(['hesitates', 'headers only'] as const)(
    'is refused when its first byte takes longer than the configured time, in whatever requests: it %s',
    async (how) => {
      behaviour = 'well';
      await isAnswered();
      behaviour = how;
      expect(await film()).toEqual({ statusCode: 503, code: 'STORE_AWAY', etag: undefined });
      behaviour = 'well';
      await isAnswered();
    },
  );

  it('gets a presigned link, or none, in the same time', async () => {
    behaviour = 'well';
    await isAnswered();
    expect(await film('film/presign')).toMatchObject({ statusCode: 200, body: expect.stringContaining('expiresIn') });
    expect(await film('missing/presign')).toMatchObject({ statusCode: 404 });
    behaviour = 'hesitates'; // it is looked for under two keys
    expect(await film('missing/presign')).toEqual({ statusCode: 503, code: 'STORE_AWAY', etag: undefined });
  });
});
