import type { FastifyReply, FastifyRequest } from 'fastify';

import type { Viewer } from '../auth/viewer.ts';
import { acceptedLanguage } from './language.ts';
import { deviceOf, userAgentOf, type RequestScope } from './request.ts';

/** The scope of an HTTP request. Its signal aborts when the client disconnects before its answer is complete. */
export function requestScope(request: FastifyRequest, { raw }: FastifyReply, viewer: Viewer | null): RequestScope {
  const { headers } = request;
  let leaving: AbortController | undefined;
  return {
    requestId: request.id,
    viewer,
    headers,
    client: {
      address: request.ip,
      userAgent: userAgentOf(headers),
      device: deviceOf(headers),
      platform: headers['service-platform'] === 'mobile' ? 'mobile' : 'web',
      language: acceptedLanguage(headers['accept-language']),
    },
    /** Made on demand: most requests are answered before their client could leave. */
    get signal() {
      if (leaving) return leaving.signal;
      const controller = (leaving = new AbortController());
      if (raw.destroyed && !raw.writableFinished) controller.abort();
      raw.once('close', () => {
        if (!raw.writableFinished) controller.abort();
      });
      return controller.signal;
    },
    reply: { cookies: [] },
  };
}
