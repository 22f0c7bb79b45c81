import { Refusal, httpStatusOf } from '@foyer/shared/errors';
import { Server } from '@tus/server';
import type { FastifyPluginAsync } from 'fastify';

import type { House } from '../context.ts';
import { beginUpload } from './begin-upload.ts';
import { finishUpload } from './finish-upload.ts';
import { uploadRejected } from './refusals.ts';

type Needs = Pick<House, 'db' | 'clock' | 'jobs' | 'events' | 'log' | 'uploads' | 'uploadRules'>;

/** The upload server: the tus protocol 1.0 under `/files`. */
export const tusRoutes =
  (needs: Needs): FastifyPluginAsync =>
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
          reply.hijack();
          request.raw.setTimeout(0); // a long PATCH is no fault
          await tus.handle(request.raw, reply.raw);
        },
      });
    }
  };

function uploadServer(needs: Needs): Server {
  const { uploads, uploadRules, log } = needs;
  return new Server({
    path: '/files',
    datastore: uploads,
    relativeLocation: true,
    maxSize: uploadRules.maxBytes,
    disableTerminationForFinishedUploads: true,
    async onUploadCreate(_request, upload) {
      await beginUpload(needs, upload);
      return {};
    },
    async onUploadFinish(_request, upload) {
      // What throws here looks like success to the client and never runs again: the reconciler does it.
      const mediaId = await finishUpload(needs, { id: upload.id, size: upload.size ?? upload.offset });
      if (mediaId === null) throw uploadRejected();
      return {};
    },
    onResponseError(_request, error) {
      if (error instanceof Refusal)
        return { status_code: httpStatusOf[error.code], body: `${error.reason}: ${error.message}\n` };
      if ('status_code' in error) return undefined;
      log.error({ err: error }, 'upload server');
      return { status_code: 500, body: 'Something went wrong on our side.\n' };
    },
  });
}
