import { Readable } from 'node:stream';

import { Refusal } from '@foyer/shared/errors';
import { readableByAll } from '@foyer/shared/http/browsers/cors';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';

import { ObjectChanged, ObjectMissing, refusedIs, type OpenObject, type Stored } from '#ports/object-store.ts';
import type { Services } from '../context.ts';
import { freeBuffer } from '../storage/free-buffer.ts';
import { asStoreFailure, isStoreFailure } from '../storage/store-failure.ts';
import { isLinkToken, readLinkToken, type LinkPermit, type LinkSecrets } from '../storage/link-token.ts';
import type { Access } from './access.ts';
import { readRange } from './byte-range.ts';
import { typeHeaders } from './content-type.ts';
import { hasBegun, withinLimit } from './first-byte.ts';
import { assetNotFound, linkExpired, rangeOutside } from './refusals.ts';
import { isSigned } from './signature.ts';
import { isContinued, isKnown } from './validators.ts';

/** Up to so many bytes are read and sent at once, which takes less CPU than a stream. */
const MOST_AT_ONCE = 128 * 1024;

interface Needs extends Pick<Services, 'db' | 'store' | 'clock' | 'links'> {
  bucket: string;
  linkSecrets: LinkSecrets;
  presignSeconds: number;
  accessOf: (key: string) => Promise<Access>;
  /** The prefix of keys that can't be read: unfinished uploads. */
  hiddenPrefix: string;
  /** How long the store may take until the first byte of an answer, or a link, in milliseconds; null for a disk. */
  firstByteMs: number | null;
}

interface Query {
  expires?: string;
  signature?: string;
}

/**
 * Serves stored objects at `/assets/<bucket>/<key>` and `/assets/<key>`; those of a private media item only behind a link
 * token of this item: `/assets/~…/<bucket>/<key>`.
 */
export const assetRoutes =
  (needs: Needs): FastifyPluginAsync =>
  async (app) => {
    app.route<{ Params: { '*': string }; Querystring: Query }>({
      method: ['GET', 'HEAD', 'OPTIONS'],
      url: '/assets/*',
      config: { cors: readableByAll },
      exposeHeadRoute: false,
      async handler(request, reply) {
        const given = readPath(needs, request.params['*']);
        const link = given.path.endsWith('/presign') ? await presign(needs, given) : null;
        if (!link) return send(needs, given, { request, reply });
        const { isPrivate, ...data } = link;
        if (isPrivate) reply.headers(privately);
        return { success: true, data };
      },
    });
  };

interface Given {
  path: string;
  /** What the link token in front of the path permits. */
  permit: LinkPermit | null;
}

function readPath({ clock, linkSecrets }: Needs, whole: string): Given {
  const [first = '', ...rest] = whole.split('/');
  if (!isLinkToken(first)) return { path: whole, permit: null };
  const permit = readLinkToken(first, { now: clock.now(), secrets: linkSecrets });
  if (!permit) throw linkExpired(); // whether the object exists is not looked at
  return { path: rest.join('/'), permit };
}

/**
 * Returns a link that everybody may use for a limited time: of a private item, the one that the client holds. Where there is no
 * object it returns null: a file may be named `presign`.
 */
const presign = (needs: Needs, { path, permit }: Given): Promise<Link | null> =>
  withinLimit(
    needs.firstByteMs,
    () => linkTo(needs, { path: path.slice(0, -'/presign'.length), permit }).catch(notFoundIsNull),
    () => undefined, // a link holds nothing
  );

interface Link {
  url: string;
  expiresIn: number;
  isPrivate: boolean;
}

function notFoundIsNull(error: unknown): null {
  if (error instanceof Refusal && error.reason === assetNotFound().reason) return null;
  throw error;
}

async function linkTo(needs: Needs, given: Given): Promise<Link> {
  const { clock, store, links, presignSeconds } = needs;
  const { key, object, permit } = await find(needs, given);
  await object.close();
  if (!permit) {
    const { href } = await store.presign(key, presignSeconds);
    return { url: href, expiresIn: presignSeconds, isPrivate: false };
  }
  const expiresIn = permit.expires - Math.floor(clock.now().getTime() / 1000);
  return { url: links.ofPermit(permit, key), expiresIn, isPrivate: true };
}

interface Found {
  key: string;
  object: OpenObject;
  /** By which a private object was found; null for a public one. */
  permit: LinkPermit | null;
}

/**
 * Finds the object of a path, which may begin with the name of the bucket. One that the client may not read is not found:
 * whether it exists is not the client's business.
 */
async function find(needs: Needs, { path, permit }: Given): Promise<Found> {
  const { db, store, bucket, hiddenPrefix } = needs;
  const candidates = path.startsWith(`${bucket}/`) ? [path.slice(bucket.length + 1), path] : [path];
  const possible: string[] = [];
  for (const key of candidates) {
    if (key.startsWith(hiddenPrefix)) continue;
    const object = await store.open(key).catch(refusedIs(undefined));
    const found = object && (await permitted(needs, { key, object }, permit));
    if (found) return found;
    if (object === null) possible.push(key);
  }
  // Links from before an object got another key stay valid.
  const moved = possible.length > 0 ? await db.movedObject.findMany({ where: { oldKey: { in: possible } } }) : [];
  for (const { newKey: key } of moved) {
    const object = await store.open(key);
    const found = object && (await permitted(needs, { key, object }, permit));
    if (found) return found;
  }
  throw assetNotFound();
}

/** Returns the object if the client may read it; closes it otherwise. */
async function permitted({ accessOf }: Needs, found: Omit<Found, 'permit'>, permit: LinkPermit | null) {
  let isHandedOver = false;
  try {
    const access = await accessOf(found.key);
    const isPublic = access === 'everybody';
    if (!isPublic && (access === 'nobody' || access.mediaId !== permit?.mediaId)) return null;
    isHandedOver = true;
    return { ...found, permit: isPublic ? null : permit };
  } finally {
    if (!isHandedOver) await found.object.close();
  }
}

type Exchange = { request: FastifyRequest<{ Querystring: Query }>; reply: FastifyReply };

async function send(needs: Needs, given: Given, exchange: Exchange) {
  const { reply } = exchange;
  const bytes = await withinLimit(
    needs.firstByteMs,
    () => begin(needs, given, exchange),
    (late) => late instanceof Readable && late.destroy(),
  ).catch((error: unknown) => {
    // A cache must not take the refusal for the object that has this ETag.
    if (isStoreFailure(error)) for (const name of ['etag', 'last-modified', 'cache-control']) reply.removeHeader(name);
    throw error;
  });
  return reply.send(bytes ?? undefined);
}

/**
 * Finds the object and returns the bytes of the body, the first of which has arrived; null for an answer without a body.
 * An object that is replaced in between is found once more.
 */
async function begin(needs: Needs, given: Given, exchange: Exchange, again = false): Promise<Readable | Buffer | null> {
  const found = await find(needs, given);
  const { object } = found;
  try {
    const bytes = await answer(needs, found, exchange);
    if (bytes instanceof Readable) await hasBegun(bytes);
    if (!bytes) await object.close();
    return bytes;
  } catch (error) {
    await object.close();
    if (error instanceof ObjectChanged && !again) {
      for (const name of ['content-length', 'content-range']) exchange.reply.removeHeader(name);
      return begin(needs, given, exchange, true);
    }
    throw error instanceof ObjectMissing ? assetNotFound() : asStoreFailure(error);
  }
}

/** Writes status and headers; returns the bytes of the body, if any. */
async function answer(
  { clock, linkSecrets }: Needs,
  { key, object, permit }: Found,
  { request, reply }: Exchange,
): Promise<Readable | Buffer | null> {
  const { query, headers, method } = request;
  const now = clock.now();
  const signed = () => isSigned(key, query, { now, secrets: linkSecrets });
  if (query.signature !== undefined && !signed()) throw linkExpired();

  const { size } = object;
  reply.headers(headersOf(key, object));
  if (permit) reply.headers(privately);
  if (isKnown(headers, object)) {
    reply.code(304);
    return null;
  }
  const range = isContinued(headers['if-range']?.toString(), object, now) ? readRange(headers.range, size) : null;
  if (range === 'unsatisfiable') {
    reply.header('content-range', `bytes */${size}`);
    throw rangeOutside(size);
  }
  const { start, end } = range ?? { start: 0, end: size - 1 };
  const length = end - start + 1;
  reply.code(range ? 206 : 200).header('content-length', String(length));
  if (range) reply.header('content-range', `bytes ${start}-${end}/${size}`);
  if (method === 'HEAD' || length === 0) return null;
  if (!object.readAtOnce || length > MOST_AT_ONCE) return object.read(range ?? undefined);
  const bytes = await object.readAtOnce({ start, end });
  reply.raw.once('finish', () => freeBuffer(bytes));
  return bytes;
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

/** Of a private object: its address is a secret that no shared cache keeps and no page passes on. */
const privately = { 'cache-control': 'private, no-cache', 'referrer-policy': 'no-referrer' };
