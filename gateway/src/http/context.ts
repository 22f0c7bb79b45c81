import type { Authenticate } from '@foyer/shared/auth/authentication';
import type { Clock } from '@foyer/shared/clock';
import { Refusal } from '@foyer/shared/errors';
import type { Log } from '@foyer/shared/telemetry/log';
import { deviceOf, userAgentOf, type RequestScope } from '@foyer/shared/http/request';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ExecutionResult } from 'graphql';

import type { Admission } from '../admission.ts';
import type { Config } from '../config.ts';
import type { Operation } from '../execute.ts';
import { forwardedOf } from '../forwarded.ts';
import { operationContext, type OperationContext } from '../operation-context.ts';
import type { State, States } from '../state.ts';
import type { Streams } from '../subscriptions/streams.ts';
import type { Example } from './landing-page.ts';

/** What the ways into the gateway share. */
export interface Needs {
  authenticate: Authenticate;
  clock: Clock;
  config: Config;
  log: Log;
  admission: Admission;
  states: States;
  streams: Streams;
  examples: readonly Example[];
  /** Errors leave it as clients get them. */
  execute(state: State, operation: Operation, context: OperationContext): Promise<ExecutionResult>;
}

export interface Who {
  context: OperationContext;
}

/** Who asks over HTTP. */
export async function contextOf(
  { authenticate, config }: Pick<Needs, 'authenticate' | 'config'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Who> {
  const { headers } = request;
  const { viewer } = await authenticate(headers).catch((error: unknown) => {
    throw error instanceof Refusal && error.code === 'UNAUTHENTICATED' ? refusedCredential(error) : error;
  });
  const scope = scopeOf(request, reply);
  scope.viewer = viewer;
  return { context: operationContext(scope, forwardedOf(headers, config)) };
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
    /** Made when somebody asks for it: most requests are answered before anyone could leave. */
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

/** A credential that was sent and does not hold. */
const refusedCredential = ({ message, reason }: Refusal) =>
  new Refusal('UNAUTHENTICATED', reason, message, {
    http: { status: 401, headers: { 'www-authenticate': 'Bearer error="invalid_token"' } },
  });
