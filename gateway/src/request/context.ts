import type { Authenticate } from '@foyer/shared/auth/authentication';
import type { Clock } from '@foyer/shared/clock';
import { Refusal } from '@foyer/shared/errors';
import type { Log } from '@foyer/shared/telemetry/log';
import { deviceOf, userAgentOf, type RequestScope } from '@foyer/shared/http/request';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ExecutionResult } from 'graphql';

import type { Admission } from '../admission/admission.ts';
import type { Config } from '../config.ts';
import type { Operation } from '../execution/execute.ts';
import { forwardedHeaders } from '../forwarded-headers/forwarded-headers.ts';
import { operationContext, type OperationContext } from '@foyer/shared/graphql/operation-context';
import type { State, States } from '../supergraph/state.ts';
import type { Streams } from '../streams/streams.ts';

/** What HTTP, server-sent events and WebSocket share. */
export interface Needs {
  authenticate: Authenticate;
  clock: Clock;
  config: Config;
  log: Log;
  admission: Admission;
  states: States;
  streams: Streams;
  /** Runs an operation; its errors are as clients get them. */
  execute(state: State, operation: Operation, context: OperationContext): Promise<ExecutionResult>;
}

/** The context of an operation that comes over HTTP. */
export async function contextOf(
  { authenticate, config }: Pick<Needs, 'authenticate' | 'config'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<OperationContext> {
  const { headers } = request;
  const { viewer } = await authenticate(headers).catch((error: unknown) => {
    throw error instanceof Refusal && error.code === 'UNAUTHENTICATED' ? refusedCredential(error) : error;
  });
  const scope = scopeOf(request, reply);
  scope.viewer = viewer;
  return operationContext(scope, forwardedHeaders(headers, config.subgraphs.forwardHeaders));
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
