import type { Readable } from 'node:stream';

import { readableByAll } from '@foyer/shared/http/browsers/cors';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';

import { ObjectMissing, refusedIs, type OpenObject, type Stored } from '#ports/object-store.ts';
import type { Services } from '../context.ts';
import { readRange } from './byte-range.ts';
import { typeHeaders } from './content-type.ts';
import { assetNotFound, linkExpired, rangeOutside } from './refusals.ts';
import { isSigned } from './signature.ts';

interface Needs extends Pick<Services, 'db' | 'store' | 'clock'> {
  bucket: string;
  signingSecret: string;
  /** The prefix of keys that can't be read: unfinished uploads. */
  hiddenPrefix: string;
}

interface Query {
  expires?: string;
  signature?: string;
}

const PRESIGN_SECONDS = 3_600;

/** Serves stored objects at `/assets/<bucket>/<key>` and `/assets/<key>`. */
export const assetRoutes =
  (needs: Needs): FastifyPluginAsync =>
  async (app) => {
    app.route<{ Params: { '*': string }; Querystring: Query }>({
      method: ['GET', 'HEAD', 'OPTIONS'],
      url: '/assets/*',
      config: { cors: readableByAll },
      exposeHeadRoute: false,
      async handler(request, reply) {
        const path = request.params['*'];
        if (path.endsWith('/presign')) return presign(needs, path.slice(0, -'/presign'.length), reply);
        return send(needs, await find(needs, path), { request, reply });
      },
    });
  };

async function presign(needs: Needs, path: string, reply: FastifyReply) {
  const { key, object } = await find(needs, path);
  await object.close();
  const url = await needs.store.presign(key, PRESIGN_SECONDS);
  return reply.send({ success: true, data: { url: url.href, expiresIn: PRESIGN_SECONDS } });
}

interface Found {
  key: string;
  object: OpenObject;
}

/** Finds the object of a path, which may begin with the name of the bucket. */
async function find({ db, store, bucket, hiddenPrefix }: Needs, path: string): Promise<Found> {
  const candidates = path.startsWith(`${bucket}/`) ? [path.slice(bucket.length + 1), path] : [path];
  const possible: string[] = [];
  for (const key of candidates) {
    if (key.startsWith(hiddenPrefix)) continue;
    const object = await store.open(key).catch(refusedIs(undefined));
    if (object) return { key, object };
    if (object === null) possible.push(key);
  }
  // Links from before an object got another key stay valid.
  const moved = possible.length > 0 ? await db.movedObject.findMany({ where: { oldKey: { in: possible } } }) : [];
  for (const { newKey: key } of moved) {
    const object = await store.open(key);
    if (object) return { key, object };
  }
  throw assetNotFound();
}

type Exchange = { request: FastifyRequest<{ Querystring: Query }>; reply: FastifyReply };

async function send(needs: Needs, { key, object }: Found, { request, reply }: Exchange) {
  let bytes: Readable | null;
  try {
    bytes = await answer(needs, { key, object }, { request, reply });
  } catch (error) {
    await object.close();
    throw error instanceof ObjectMissing ? assetNotFound() : error;
  }
  if (!bytes) await object.close();
  return reply.send(bytes ?? undefined);
}

/** Writes status and headers; returns the bytes of the body, if any. */
async function answer(
  { clock, signingSecret }: Needs,
  { key, object }: Found,
  { request, reply }: Exchange,
): Promise<Readable | null> {
  const { query, headers, method } = request;
  const signed = () => isSigned(key, query, { now: clock.now(), secret: signingSecret });
  if (query.signature !== undefined && !signed()) throw linkExpired();

  const { size, etag } = object;
  const tag = `"${etag}"`;
  reply.headers(headersOf(key, object));
  if (matches(headers['if-none-match'], tag)) {
    reply.code(304);
    return null;
  }
  const range = isFresh(headers['if-range']?.toString(), tag) ? readRange(headers.range, size) : null;
  if (range === 'unsatisfiable') {
    reply.header('content-range', `bytes */${size}`);
    throw rangeOutside(size);
  }
  reply.code(range ? 206 : 200).header('content-length', String(range ? range.end - range.start + 1 : size));
  if (range) reply.header('content-range', `bytes ${range.start}-${range.end}/${size}`);
  return method === 'HEAD' ? null : object.read(range ?? undefined);
}

const headersOf = (key: string, { etag, modifiedAt }: Stored) => ({
  ...typeHeaders(key),
  etag: `"${etag}"`,
  'last-modified': modifiedAt.toUTCString(),
  'accept-ranges': 'bytes',
  // Normalizing replaces a file under its key: caches must revalidate by the ETag.
  'cache-control': 'public, no-cache',
  'cross-origin-resource-policy': 'cross-origin',
});

const matches = (header: string | undefined, tag: string) =>
  header?.split(',').some((each) => ['*', tag, `W/${tag}`].includes(each.trim())) ?? false;

/** Without a match of If-Range the client holds parts of another version and needs the whole. */
const isFresh = (header: string | undefined, tag: string) => header === undefined || header === tag;
