import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

import { responseHeaders } from '@foyer/shared/http/cors';
import { Refusal } from '@foyer/shared/errors';
import type { ForwardedPrefix } from '@foyer/shared/http/forwarded-prefix';
import { errorReply } from '@foyer/shared/http/error-body';
import { currentRequestId } from '@foyer/shared/telemetry/log';
import { hasUnknownMethod } from '@foyer/shared/http/method-override';
import { Server, type Locker } from '@tus/server';
import type { FastifyPluginAsync } from 'fastify';

import type { Services } from '../../context.ts';
import { asStoreFailure } from '../../storage/store-failure.ts';
import { beginUpload } from '../begin-upload.ts';
import { unknownMethod } from '../refusals.ts';
import { plainMetadata, protocolRefusal, protocolStatus } from './protocol.ts';

/** What this server speaks. */
const TUS_VERSION = '1.0.0';

export interface UploadServer extends Pick<Services, 'db' | 'clock' | 'log' | 'uploads'> {
  uploadRules: Pick<Services['uploadRules'], 'maxBytes' | 'idleSeconds' | 'locationBase'>;
  prefixOf: ForwardedPrefix;
  locker: Locker;
  /** All bytes of an upload are here. @throws {Refusal} when it can't become a media item */
  finish(upload: { id: string; size: number }): Promise<void>;
}

/** The upload server: the tus protocol 1.0 under `/files`. */
export const tusRoutes =
  (needs: UploadServer): FastifyPluginAsync =>
  async (app) => {
    const tus = uploadServer(needs);
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', (_request, _payload, done) => done(null)); // tus reads the bytes itself

    for (const url of ['/files', '/files/*']) {
      app.route({
        // A finished upload is not for download: tus would serve it to whoever knows its id.
        method: ['POST', 'HEAD', 'PATCH', 'DELETE', 'OPTIONS'],
        url,
        async handler(request, reply) {
          if (hasUnknownMethod(request.raw)) throw unknownMethod();
          needs.prefixOf(request.raw); // refuses what is none before there is an upload
          reply.hijack();
          cutOffWhenIdle(request.raw, needs.uploadRules.idleSeconds);
          await tus.handle(request.raw, reply.raw);
        },
      });
    }
  };

/** A PATCH may take for hours, but not stand still: who stalls resumes later. Joining what came may take its time. */
function cutOffWhenIdle(request: IncomingMessage, seconds: number): void {
  request.setTimeout(seconds * 1000, () => {
    if (!request.complete) request.destroy();
  });
}

/** What it refuses, also by the protocol itself, such as a PATCH at another offset, has the documented error body. */
class UploadServerInOurWords extends Server {
  override handle(request: IncomingMessage, response: ServerResponse) {
    const metadata = request.headers['upload-metadata'];
    if (typeof metadata === 'string') replaceHeader(request, 'upload-metadata', plainMetadata(metadata));
    return super.handle(request, response);
  }

  override write(...[context, headers, status, body = '']: Parameters<Server['write']>) {
    if (status < 400 || body === '') return super.write(context, headers, status, body);
    headers.set('content-type', 'application/json; charset=utf-8');
    if (body.startsWith('{')) return super.write(context, headers, status, body);
    const asked = protocolStatus(status, body);
    if (asked === 412) headers.set('tus-version', TUS_VERSION);
    return super.write(context, headers, asked, JSON.stringify(protocolRefusal(body, requestId())));
  }
}

/** Of both forms that Node keeps: the tus server reads single headers from one, and all of them from the other. */
function replaceHeader(request: IncomingMessage, name: string, value: string | undefined): void {
  const raw = request.rawHeaders;
  const others = raw.flatMap((key, at) => (at % 2 === 1 || key.toLowerCase() === name ? [] : [key, raw[at + 1] ?? '']));
  request.rawHeaders = value === undefined ? others : [...others, name, value];
  if (value === undefined) delete request.headers[name];
  else request.headers[name] = value;
}

function uploadServer({ finish, prefixOf, ...needs }: UploadServer): Server {
  const { uploads, uploadRules, locker, log } = needs;
  return new UploadServerInOurWords({
    path: '/files',
    datastore: uploads,
    locker,
    generateUrl({ runtime }, { path, id }) {
      const prefix = runtime?.node && prefixOf(runtime.node.req);
      return `${prefix ? `${prefix}${path}` : uploadRules.locationBase}/${id}`;
    },
    maxSize: uploadRules.maxBytes,
    disableTerminationForFinishedUploads: true,
    // Which pages may read its answers is for the server to say (@foyer/shared/cors); tus would let all of them.
    allowedOrigins: () => false,
    exposedHeaders: [responseHeaders],
    async onUploadCreate(_request, upload) {
      await beginUpload(needs, upload);
      return {};
    },
    async onUploadFinish(_request, upload) {
      // What throws here looks like success to the client and never runs again: the reconciler does it.
      await finish({ id: upload.id, size: upload.size ?? upload.offset });
      return {};
    },
    onResponseError(_request, failure) {
      if (!(failure instanceof Refusal) && 'status_code' in failure) return undefined; // of the protocol
      const error = asStoreFailure(failure);
      if (!(error instanceof Refusal)) log.error({ err: error }, 'upload server');
      const { status, body } = errorReply(error, requestId());
      return { status_code: status, body: JSON.stringify(body) };
    },
  });
}

/** tus knows no ids of requests. */
const requestId = () => currentRequestId() ?? randomUUID();
