import cors, { type FastifyCorsOptions } from '@fastify/cors';
import type { FastifyInstance, FastifyRequest } from 'fastify';

import { isAllowed, type BrowserRules, type CorsRules } from './browser-rules.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The CORS rules of a route that differ from those of the server. */
    cors?: FastifyCorsOptions;
  }
}

/** The headers that pages of allowed origins may send; never `X-Internal-Token`, which is for services only (spec 1). */
const requestHeaders = [
  'Authorization, Content-Type, Cache-Control, X-Requested-With, X-Request-Id, Idempotency-Key',
  'Service-Platform, X-Organization-ID, X-Workspace-ID, X-User-ID', // spec 1 and 2
  'Last-Event-ID, Range, If-Range, If-None-Match, If-Modified-Since',
  'Apollo-Require-Preflight, X-Apollo-Operation-Name, X-GraphQL-Event-Stream-Token',
  'Apollographql-Client-Name, Apollographql-Client-Version, Traceparent, Tracestate',
  'Tus-Resumable, Upload-Length, Upload-Offset, Upload-Metadata, Upload-Defer-Length, Upload-Checksum',
  'Upload-Concat', // of an extension that uploads refuse, so that the page can read why
  'X-HTTP-Method-Override', // tus, for clients that know no PATCH
].join(', ');

/** The headers that they may read, besides those that browsers always show. */
export const responseHeaders = [
  'X-Request-Id, Location, Retry-After, WWW-Authenticate, Deprecation, Link',
  'ETag, Accept-Ranges, Content-Range, Content-Disposition',
  'Tus-Resumable, Tus-Version, Tus-Extension, Tus-Max-Size, Tus-Checksum-Algorithm',
  'Upload-Offset, Upload-Length, Upload-Metadata, Upload-Defer-Length',
].join(', ');

/** Seconds for which a browser may cache a preflight; no browser does for longer than two hours. */
const PREFLIGHT_SECONDS = 7_200;

/** The route of `@fastify/cors`, after all others. */
const PREFLIGHTS = '*';

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** For `config.cors` of a route with public files: any page may read and play them, without credentials. */
export const readableByAll = {
  origin: '*',
  credentials: false,
  methods: ['GET', 'HEAD'],
  allowedHeaders: ['Range', 'If-Range', 'If-None-Match', 'If-Modified-Since'],
  exposedHeaders: responseHeaders,
} satisfies FastifyCorsOptions;

/**
 * Answers preflights, and lets pages of allowed origins read every answer, also errors, with credentials (Fetch, "CORS
 * protocol"). Must be called before anything that may refuse, and before routes are added.
 */
export async function shareWith(
  app: FastifyInstance,
  { allowedOrigins, cors: rules = {} }: BrowserRules,
): Promise<void> {
  await app.register(cors, {
    origin: (origin, answer) => answer(null, isAllowed(origin, allowedOrigins) ? origin : false),
    credentials: rules.credentials ?? true,
    methods: [...(rules.methods ?? methods)],
    allowedHeaders: [requestHeaders, ...(rules.allowHeaders ?? [])].join(', '),
    exposedHeaders: exposedBy(rules),
    maxAge: rules.maxAgeSeconds ?? PREFLIGHT_SECONDS,
    strictPreflight: false, // its own answers have another shape
  });
  // For another origin: an answer without the headers that allow it is a refusal (Fetch, "CORS-preflight fetch").
  app.addHook('onRequest', (request, reply, done) => {
    if (!isPreflight(request)) return done();
    void reply.code(204).header('content-length', '0').send();
  });
  // For answers that bypass Fastify: uploads and event streams.
  app.addHook('onRequest', (request, reply, done) => {
    if (request.headers.origin === undefined) return done();
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      if (value !== undefined) reply.raw.setHeader(name, value);
    }
    done();
  });
}

/** Whether this is a preflight request for a route that does not handle OPTIONS itself. */
const isPreflight = ({ method, headers, routeOptions }: FastifyRequest) =>
  method === 'OPTIONS' &&
  routeOptions.url === PREFLIGHTS &&
  headers.origin !== undefined &&
  headers['access-control-request-method'] !== undefined;

/** The same headers, for answers that are made before Fastify's hooks run. */
export function sharingHeaders(
  origin: string | undefined,
  { allowedOrigins, cors: rules = {} }: BrowserRules,
): Record<string, string> {
  if (!isAllowed(origin, allowedOrigins)) return { vary: 'Origin' };
  return {
    vary: 'Origin',
    'access-control-allow-origin': origin,
    ...(rules.credentials !== false && { 'access-control-allow-credentials': 'true' }),
    'access-control-expose-headers': exposedBy(rules),
  };
}

const exposedBy = ({ exposeHeaders = [] }: CorsRules) => [responseHeaders, ...exposeHeaders].join(', ');
