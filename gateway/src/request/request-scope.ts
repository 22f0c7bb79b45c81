import type { Authenticate } from '@foyer/shared/auth/authentication';
import { Refusal } from '@foyer/shared/errors';
import { acceptedLanguage } from '@foyer/shared/http/language';
import { deviceOf, userAgentOf, type RequestScope } from '@foyer/shared/http/request';
import type { FastifyReply, FastifyRequest } from 'fastify';

import type { Config } from '../config.ts';
import { claimsOf, forwardedHeaders } from '../header-rules/request-headers.ts';
import { gatewayContext, type GatewayContext } from './context.ts';

interface Needs {
  authenticate: Authenticate;
  config: Pick<Config, 'subgraphs'>;
}

/** The context of an operation that comes over HTTP. @throws {Refusal} `UNAUTHENTICATED` for an invalid credential */
export async function contextOf(
  { authenticate, config }: Needs,
  request: FastifyRequest,
  reply: FastifyReply,
  { carriesStreams }: { carriesStreams: boolean },
): Promise<GatewayContext> {
  const { headers } = request;
  const { viewer, access } = await authenticate(headers).catch((error: unknown) => {
    throw error instanceof Refusal && error.code === 'UNAUTHENTICATED' ? refusedCredential(error) : error;
  });
  const scope = scopeOf(request, reply);
  scope.viewer = viewer;
  scope.access = access;
  return gatewayContext(scope, {
    forwarded: forwardedHeaders(headers, config.subgraphs.headers, claimsOf(viewer)),
    carriesStreams,
    readOnly: request.method === 'GET',
  });
}

function scopeOf(request: FastifyRequest, { raw }: FastifyReply): RequestScope {
  let leaving: AbortController | undefined;
  return {
    requestId: request.id,
    viewer: null,
    client: {
      address: request.ip,
      userAgent: userAgentOf(request.headers),
      device: deviceOf(request.headers),
      platform: request.headers['service-platform'] === 'mobile' ? 'mobile' : 'web',
      language: acceptedLanguage(request.headers['accept-language']),
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

/** A credential that was sent, and is not valid. */
const refusedCredential = ({ message, reason }: Refusal) =>
  new Refusal('UNAUTHENTICATED', reason, message, {
    http: { status: 401, headers: { 'www-authenticate': 'Bearer error="invalid_token"' } },
  });
