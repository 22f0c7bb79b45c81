import type { ServerResponse } from 'node:http';

import type { FastifyReply, FastifyRequest } from 'fastify';

import type { Viewer } from '../auth/viewer.ts';
import { acceptedLanguage } from './language.ts';
import { deviceOf, userAgentOf, type RequestScope } from './request.ts';

/** The scope of an HTTP request. Its signal aborts when the client disconnects before its answer is complete. */
export function requestScope(request: FastifyRequest, { raw }: FastifyReply, viewer: Viewer | null): RequestScope {
  const { headers } = request;
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
    signal: abortedByLeaving(raw),
    reply: { cookies: [] },
  };
}

// Made with the scope, and not by a getter: docs/decisions/0134-no-accessors-in-object-literals.md.
function abortedByLeaving(raw: ServerResponse): AbortSignal {
  const controller = new AbortController();
  if (raw.destroyed && !raw.writableFinished) controller.abort();
  raw.once('close', () => {
    if (!raw.writableFinished) controller.abort();
  });
  return controller.signal;
}
