import type { Authenticate } from '@foyer/shared/auth/authentication';
import { Refusal } from '@foyer/shared/errors';
import { requestScope } from '@foyer/shared/http/request-scope';
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
  const scope = requestScope(request, reply, viewer);
  scope.access = access;
  return gatewayContext(scope, {
    forwarded: forwardedHeaders(headers, config.subgraphs.headers, claimsOf(viewer)),
    carriesStreams,
    readOnly: request.method === 'GET',
  });
}

/** A credential that was sent, and is not valid. */
const refusedCredential = ({ message, reason }: Refusal) =>
  new Refusal('UNAUTHENTICATED', reason, message, {
    http: { status: 401, headers: { 'www-authenticate': 'Bearer error="invalid_token"' } },
  });
