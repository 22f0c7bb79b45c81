import { createHash } from 'node:crypto';

import type { Server } from './servers/server-process.ts';
import type { Json } from './json.ts';
import { send } from './fixtures/people.ts';
import { until } from './until.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');

/** Invalid prefixes: values of `X-Forwarded-Prefix` that would lead to another server. */
export const HOSTILE_PREFIXES = [
  '//evil.test',
  '/\\evil.test',
  'https://evil.test',
  '/a%0d%0aSet-Cookie:x=y',
  '/a/../b',
];

/** Sends a request of the tus protocol, unchanged. */
export const tus = (
  { url }: { url: string },
  method: string,
  path: string,
  { headers = {}, body }: { headers?: Record<string, string>; body?: string | Buffer } = {},
) =>
  fetch(new URL(path, url), {
    method,
    headers: { 'tus-resumable': '1.0.0', ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : new Uint8Array(body) }),
  });

/** Creates an upload; without a size its length is deferred. */
export const createUpload = (
  server: { url: string },
  {
    token,
    size,
    more = {},
    headers = {},
  }: { token?: string; size?: number; more?: Record<string, string>; headers?: Record<string, string> },
) => {
  const metadata = { filename: 'file', filetype: 'text/plain', ...(token && { uploadToken: token }), ...more };
  return tus(server, 'POST', '/files/', {
    headers: {
      ...headers,
      ...(size === undefined ? { 'upload-defer-length': '1' } : { 'upload-length': String(size) }),
      'upload-metadata': Object.entries(metadata)
        .map(([key, value]) => `${key} ${base64(value)}`)
        .join(','),
    },
  });
};

/** Sends bytes from an offset on. */
export const patchUpload = (
  server: { url: string },
  location: string,
  { offset, body, headers = {} }: { offset: number; body: string | Buffer; headers?: Record<string, string> },
) =>
  tus(server, 'PATCH', location, {
    headers: { 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream', ...headers },
    body,
  });

/** The media item of this name in a folder, once it is processed. */
export const mediaNamed = (
  foyer: Server,
  folder: string,
  fileName: string,
  { timeoutMs = 120_000 } = {},
): Promise<Json> =>
  until(
    `${fileName} to be processed`,
    async () => {
      const { json } = await send(foyer, 'GET', `/api/media/?folder=${encodeURIComponent(folder)}&limit=100`);
      const found = json.data.find((media: Json) => media.fileName === fileName);
      return ['done', 'failed'].includes(found?.transcodingStage) && found;
    },
    { timeoutMs, everyMs: 300 },
  );

/** The status and the body of a refusal. */
export const refusal = async (answer: Response) => ({ status: answer.status, ...JSON.parse(await answer.text()) });

/** The value of `Upload-Checksum`. */
export const checksum = (algorithm: string, text: string): string =>
  `${algorithm} ${createHash(algorithm).update(text).digest('base64')}`;

/** How much of an upload the server has. */
export const offsetOf = async (server: Server, location: string): Promise<string | null> =>
  (await tus(server, 'HEAD', location)).headers.get('upload-offset');
