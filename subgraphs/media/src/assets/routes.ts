import { pipeline } from 'node:stream/promises';

import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';

import { KeyRefused, ObjectMissing, type ObjectStore, type Stored } from '#ports/object-store.ts';
import type { House } from '../context.ts';
import { readRange } from './byte-range.ts';
import { typeHeaders } from './content-type.ts';
import { assetNotFound, linkExpired, rangeOutside } from './refusals.ts';
import { isSigned } from './signature.ts';

interface Needs extends Pick<House, 'store' | 'clock' | 'log'> {
  bucket: string;
  signingSecret: string;
  /** Keys under it are not for reading: unfinished uploads. */
  hiddenPrefix: string;
}

interface Query {
  expires?: string;
  signature?: string;
}

const PRESIGN_SECONDS = 3_600;

/** Direct reads of stored objects, as `/assets/<bucket>/<key>` and `/assets/<key>`. */
export const assetRoutes =
  (needs: Needs): FastifyPluginAsync =>
  async (app) => {
    app.route<{ Params: { '*': string }; Querystring: Query }>({
      method: ['GET', 'HEAD'],
      url: '/assets/*',
      exposeHeadRoute: false,
      async handler(request, reply) {
        const path = request.params['*'];
        if (path.endsWith('/presign')) return presign(needs, path.slice(0, -'/presign'.length), reply);
        const { key, stored } = await find(needs, path);
        if (
          request.query.signature !== undefined &&
          !isSigned(key, request.query, { now: needs.clock.now(), secret: needs.signingSecret })
        ) {
          throw linkExpired();
        }
        return send(needs, { key, stored, request, reply });
      },
    });
  };

async function presign(needs: Needs, path: string, reply: FastifyReply) {
  const { key } = await find(needs, path);
  const url = await needs.store.presign(key, PRESIGN_SECONDS);
  return reply.send({ success: true, data: { url: url.href, expiresIn: PRESIGN_SECONDS } });
}

/** The bucket's name may stand in front of the key. */
async function find({ store, bucket, hiddenPrefix }: Needs, path: string): Promise<{ key: string; stored: Stored }> {
  const candidates = path.startsWith(`${bucket}/`) ? [path.slice(bucket.length + 1), path] : [path];
  for (const key of candidates) {
    if (key.startsWith(hiddenPrefix)) continue;
    const stored = await store.stat(key).catch(refusedIsMissing);
    if (stored) return { key, stored };
  }
  throw assetNotFound();
}

function refusedIsMissing(error: unknown): null {
  if (error instanceof KeyRefused) return null;
  throw error;
}

interface Answer {
  key: string;
  stored: Stored;
  request: FastifyRequest;
  reply: FastifyReply;
}

async function send({ store, log }: Needs, { key, stored, request, reply }: Answer) {
  const { size, etag, modifiedAt } = stored;
  const tag = `"${etag}"`;
  const headers = {
    ...typeHeaders(key),
    etag: tag,
    'last-modified': modifiedAt.toUTCString(),
    'accept-ranges': 'bytes',
    // Normalizing replaces a file under its key: ask again, by the ETag.
    'cache-control': 'public, no-cache',
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'content-range, accept-ranges, etag',
    'cross-origin-resource-policy': 'cross-origin',
  };
  if (matches(request.headers['if-none-match'], tag)) return reply.code(304).headers(headers).send();

  const range = isFresh(request.headers['if-range']?.toString(), tag) ? readRange(request.headers.range, size) : null;
  if (range === 'unsatisfiable') {
    reply.header('content-range', `bytes */${size}`);
    throw rangeOutside(size);
  }
  const length = range ? range.end - range.start + 1 : size;
  reply.code(range ? 206 : 200).headers({ ...headers, 'content-length': String(length) });
  if (range) reply.header('content-range', `bytes ${range.start}-${range.end}/${size}`);
  if (request.method === 'HEAD') return reply.send();
  return stream(store, { key, range, reply, log });
}

async function stream(
  store: ObjectStore,
  {
    key,
    range,
    reply,
    log,
  }: { key: string; range: { start: number; end: number } | null; reply: FastifyReply; log: Needs['log'] },
) {
  const bytes = await store.get(key, range ?? undefined).catch((error: unknown) => {
    throw error instanceof ObjectMissing ? assetNotFound() : error;
  });
  reply.hijack();
  reply.raw.writeHead(reply.statusCode, reply.getHeaders() as Record<string, string>);
  await pipeline(bytes, reply.raw).catch((error: unknown) => log.debug({ err: error }, 'the reader went away'));
}

const matches = (header: string | undefined, tag: string) =>
  header?.split(',').some((each) => ['*', tag, `W/${tag}`].includes(each.trim())) ?? false;

/** If-Range with another tag: the rest of another version would make no whole. */
const isFresh = (header: string | undefined, tag: string) => header === undefined || header === tag;
