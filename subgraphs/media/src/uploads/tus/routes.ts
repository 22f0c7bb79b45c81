import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

import { responseHeaders } from '@foyer/shared/http/browsers/cors';
import { Refusal } from '@foyer/shared/errors';
import type { ForwardedPrefix } from '@foyer/shared/http/forwarded-prefix';
import { errorReply } from '@foyer/shared/http/error-body';
import { currentRequestId } from '@foyer/shared/telemetry/log';
import { hasUnknownMethod } from '@foyer/shared/http/method-override';
import { ERRORS, Server, type Locker } from '@tus/server';
import type { FastifyPluginAsync, FastifyReply } from 'fastify';

import type { Services } from '../../context.ts';
import { STORE_RETRY_SECONDS } from '../../storage/refusals.ts';
import { asStoreFailure } from '../../storage/store-failure.ts';
import { beginUpload } from '../begin-upload.ts';
import { checksumUnusable, unknownMethod } from '../refusals.ts';
import { checksumAlgorithms, expecting, readChecksum, type Checksum } from './checksum.ts';
import { checkStatedLength, mostBytes } from './prepared-size.ts';
import { normalizeMetadata, protocolRefusal, protocolStatus } from './protocol.ts';
import { checkBodyType, keepBody, writeKeptBodies } from './request-body.ts';

/** The version of the tus protocol. */
const TUS_VERSION = '1.0.0';
/** When a client may try an upload again that other requests wait for: the one that has it ends within this time. */
const LOCK_RETRY_SECONDS = 3;

export interface UploadServer extends Pick<Services, 'db' | 'clock' | 'log' | 'uploads'> {
  uploadRules: Pick<Services['uploadRules'], 'maxBytes' | 'idleSeconds' | 'locationBase' | 'quota'>;
  prefixOf: ForwardedPrefix;
  locker: Locker;
  /** Called when all bytes of an upload have arrived. @throws {Refusal} when it can't become a media item */
  finish(upload: { id: string; size: number }): Promise<void>;
}

/** Serves the tus protocol 1.0 under `/files`. */
export const tusRoutes =
  (needs: UploadServer): FastifyPluginAsync =>
  async (app) => {
    const tus = uploadServer(needs);
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', (_request, _payload, done) => done(null)); // tus reads the bytes itself

    for (const url of ['/files', '/files/*']) {
      app.route({
        // No GET: tus would serve a finished upload to whoever knows its id.
        method: ['POST', 'HEAD', 'PATCH', 'DELETE'],
        url,
        async handler(request, reply) {
          if (hasUnknownMethod(request.raw)) throw unknownMethod();
          const checksum = checksumOf(request.raw);
          needs.prefixOf(request.raw); // refuses an invalid prefix before an upload is created
          reply.hijack();
          closeWhenIdle(request.raw, needs.uploadRules.idleSeconds);
          await expecting(checksum, () => tus.handle(request.raw, reply.raw));
        },
      });
      app.options(url, (_request, reply) => describeServer(needs, reply));
    }
  };

/** Answers what this server supports, and nothing else: tus would list request headers of what it does not. */
function describeServer({ uploads, uploadRules }: UploadServer, reply: FastifyReply) {
  return reply
    .code(204)
    .headers({
      'tus-resumable': TUS_VERSION,
      'tus-version': TUS_VERSION,
      'tus-extension': uploads.extensions.join(','),
      'tus-checksum-algorithm': checksumAlgorithms,
      'tus-max-size': uploadRules.maxBytes,
    })
    .send();
}

/** Returns the checksum of a request's body. @throws {Refusal} `VALIDATION_FAILED`, also when it follows in a trailer */
function checksumOf({ headers }: IncomingMessage): Checksum | undefined {
  if (/\bupload-checksum\b/i.test(headers.trailer ?? '')) throw checksumUnusable(checksumAlgorithms);
  const header = headers['upload-checksum'];
  return header === undefined ? undefined : readChecksum(String(header));
}

/** Closes requests that send nothing for a while: their clients can resume. Once all bytes are here, the rest may take its time. */
function closeWhenIdle(request: IncomingMessage, seconds: number): void {
  request.setTimeout(seconds * 1000, () => {
    if (!request.complete) request.destroy();
  });
}

/** A tus server whose refusals, also those of the protocol such as a wrong offset, have the documented error body. */
class DocumentedTusServer extends Server {
  override handle(request: IncomingMessage, response: ServerResponse) {
    const metadata = request.headers['upload-metadata'];
    if (typeof metadata === 'string') replaceHeader(request, 'upload-metadata', normalizeMetadata(metadata));
    return super.handle(request, response);
  }

  override write(...[context, headers, status, body = '']: Parameters<Server['write']>) {
    if (status === 503 || status === 507) headers.set('retry-after', String(STORE_RETRY_SECONDS));
    if (status === 423) headers.set('retry-after', String(LOCK_RETRY_SECONDS));
    if (status < 400 || body === '') return super.write(context, headers, status, body);
    headers.set('content-type', 'application/json; charset=utf-8');
    if (body.startsWith('{')) return super.write(context, headers, status, body);
    const required = protocolStatus(status, body);
    if (required === 412) headers.set('tus-version', TUS_VERSION);
    return super.write(context, headers, required, JSON.stringify(protocolRefusal(body, requestId())));
  }
}

/** Replaces a header in both forms that Node keeps: the tus server reads both. */
function replaceHeader(request: IncomingMessage, name: string, value: string | undefined): void {
  const raw = request.rawHeaders;
  const others = raw.flatMap((key, at) => (at % 2 === 1 || key.toLowerCase() === name ? [] : [key, raw[at + 1] ?? '']));
  request.rawHeaders = value === undefined ? others : [...others, name, value];
  if (value === undefined) delete request.headers[name];
  else request.headers[name] = value;
}

function uploadServer({ finish, prefixOf, ...needs }: UploadServer): Server {
  const { uploads, uploadRules, locker, log } = needs;
  const tus = new DocumentedTusServer({
    path: '/files',
    datastore: uploads,
    locker,
    generateUrl({ runtime }, { path, id }) {
      const prefix = runtime?.node && prefixOf(runtime.node.req);
      return `${prefix ? `${prefix}${path}` : uploadRules.locationBase}/${id}`;
    },
    maxSize: (request, id) => mostBytes(needs, request, id),
    async onIncomingRequest(request, id) {
      checkBodyType(request);
      keepBody(request);
      await checkKnown(needs, request, id);
      return checkStatedLength(needs, request, id);
    },
    disableTerminationForFinishedUploads: true,
    // CORS is up to our server (@foyer/shared/http/browsers/cors); tus would allow all origins.
    allowedOrigins: () => false,
    exposedHeaders: [responseHeaders],
    async onUploadCreate(_request, upload) {
      await beginUpload(needs, upload);
      return {};
    },
    async onUploadFinish(_request, upload) {
      // An error here looks like success to the client and is not retried: the reconciler completes the upload.
      await finish({ id: upload.id, size: upload.size ?? upload.offset });
      return {};
    },
    onResponseError(_request, failure) {
      if (!(failure instanceof Refusal) && 'status_code' in failure) return undefined; // a refusal of the protocol
      const error = asStoreFailure(failure);
      const { status, body } = errorReply(error, requestId());
      if (!(error instanceof Refusal)) log.error({ err: error }, 'upload server');
      else if (status >= 500) log.warn({ code: body.code, err: failure }, 'upload refused');
      return { status_code: status, body: JSON.stringify(body) };
    },
  });
  writeKeptBodies(tus);
  return tus;
}

/** Refuses an id that no upload has, before its lock is waited for: anybody can invent one. */
async function checkKnown({ db }: Pick<UploadServer, 'db'>, { method }: Request, id: string): Promise<void> {
  if (method === 'POST') return; // its upload is yet to be created
  const known = await db.upload.count({ where: { id, state: { not: 'rejected' } } });
  if (known === 0) throw Object.assign(new Error('there is no such upload'), ERRORS.FILE_NOT_FOUND);
}

/** The id of the current request; tus has none of its own. */
const requestId = () => currentRequestId() ?? randomUUID();
