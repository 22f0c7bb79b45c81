import type { IncomingMessage } from 'node:http';

import proxyAddr from '@fastify/proxy-addr';
import {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { Histogram } from 'prom-client';

import { guarded } from '../telemetry/guarded.ts';
import { loggedPath, loggingAbout, type Log } from '../telemetry/log.ts';
import { overrideMethod } from './method-override.ts';
import { contextFrom, isTracing, markFailed, startSpan, withContext, type Started } from '../telemetry/tracing.ts';

const requests = new Histogram({
  name: 'foyer_http_request_seconds',
  help: 'Time to answer an HTTP request, by the pattern of its route; event streams are not timed.',
  labelNames: ['method', 'route', 'status'],
  buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
});

/** With tracing off there is neither span nor context. */
interface Observation extends Partial<Started> {
  startedAt: number;
}

declare module 'fastify' {
  interface FastifyRequest {
    observation: Observation | null;
  }
}

/** One line for each request, written by `observe` when it is over; the rest of Fastify's own lines stay. */
class OneLineEach extends LogController {
  override incomingRequest(): void {}
  override requestCompleted(): void {}
}

/** The options of each of our HTTP servers. */
export function observedServer({ log, trustedProxies }: { log: Log; trustedProxies: readonly string[] }) {
  const loggerInstance: FastifyBaseLogger = log;
  return {
    loggerInstance,
    // One logger for all requests: the context of a line comes from async storage.
    childLoggerFactory: (logger: FastifyBaseLogger) => logger,
    logController: new OneLineEach(),
    genReqId: requestIds(trustedProxies),
    rewriteUrl: overrideMethod,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
  };
}

const usable = /^[\w.-]{8,64}$/;

/** A new id for each request; a trusted proxy may have set one already (`X-Request-Id`). */
function requestIds(trustedProxies: readonly string[]): (raw: IncomingMessage) => string {
  if (trustedProxies.length === 0) return () => crypto.randomUUID();
  const trusts = proxyAddr.compile([...trustedProxies]);
  return ({ headers, socket }) => {
    const given = headers['x-request-id'];
    const usableOne = typeof given === 'string' && usable.test(given) && trusts(socket.remoteAddress ?? '', 0);
    return usableOne ? given : crypto.randomUUID();
  };
}

/**
 * Watches all requests of a server made with `observedServer`: their log lines and answers carry the request id, they
 * are timed by route, and they are spans that continue the client's trace. Must be called before routes are added.
 */
export function observe(app: FastifyInstance, log: Log): void {
  app.decorateRequest('observation', null);
  app.addHook('onRequest', (request, reply, done) => {
    request.observation = begin(request);
    reply.raw.setHeader('x-request-id', request.id);
    reply.raw.once(
      'close',
      guarded(log, 'noting the end of a request', () => end(request, reply, log)),
    );
    within(request, done);
  });
}

function within(request: FastifyRequest, run: () => void): void {
  const { id: requestId, observation } = request;
  loggingAbout({ requestId }, () => withContext(observation?.context, run));
}

function begin(request: FastifyRequest): Observation {
  const startedAt = performance.now();
  if (!isTracing()) return { startedAt };
  const { method, headers, protocol } = request;
  const route = routeOf(request);
  // No path: paths contain ids and tokens.
  const attributes = { 'http.request.method': method, 'http.route': route, 'url.scheme': protocol };
  return { startedAt, ...startSpan(`${method} ${route}`, { kind: 'server', attributes }, contextFrom(headers)) };
}

/** What supervisors ask every few seconds: only a failure is news. */
const polled = new Set(['/health/live', '/health/ready', '/metrics']);

const routeOf = ({ routeOptions }: FastifyRequest) => routeOptions.url ?? 'unmatched';

function end(request: FastifyRequest, { raw }: FastifyReply, log: Log): void {
  const { observation, method } = request;
  if (!observation) return;
  const { startedAt, span } = observation;
  const ms = performance.now() - startedAt;
  const route = routeOf(request);
  const status = raw.headersSent ? String(raw.statusCode) : 'aborted';
  if (!request.headers.accept?.includes('text/event-stream')) {
    requests.observe({ method, route, status }, ms / 1_000);
  }
  if (span) {
    if (raw.headersSent) span.setAttribute('http.response.status_code', raw.statusCode);
    if (status === 'aborted' || raw.statusCode >= 500) markFailed(span, status);
    span.end();
  }
  const level = polled.has(route) && raw.statusCode < 400 ? 'debug' : 'info';
  if (!log.isLevelEnabled(level)) return;
  const path = loggedPath(request.url);
  within(request, () => log[level]({ method, path, route, status, ms: Math.round(ms) }, 'request'));
}
