import type { IncomingHttpHeaders } from 'node:http';
import { PassThrough, pipeline } from 'node:stream';

import replyFrom from '@fastify/reply-from';
import { allMethods } from '@foyer/shared/http/all-methods';
import { readableByAll } from '@foyer/shared/http/browsers/cors';
import type { ForwardedPrefix } from '@foyer/shared/http/forwarded-prefix';
import { serverLimits } from '@foyer/shared/http/server-limits';
import { SIGNED_CONTEXT } from '@foyer/shared/graphql/signed-context';
import type { SubgraphName } from '@foyer/shared/graphql/subgraph';
import { carriedTrace } from '@foyer/shared/telemetry/tracing';
import type { FastifyInstance, FastifyPluginAsync, HTTPMethods } from 'fastify';

import { pathNotForwardable, subgraphUnavailable } from './refusals.ts';

type ForwardedRoute = readonly [methods: HTTPMethods | readonly HTTPMethods[] | 'ALL', url: string];

const uploading = ['POST', 'HEAD', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/** Served by upload servers, where there are any, else by media. */
export const uploadRoutes: readonly ForwardedRoute[] = [
  [uploading, '/files'],
  [uploading, '/files/*'],
];

/** Event streams of identity. Each keeps its connection open as long as the client listens. */
export const streamRoutes: readonly ForwardedRoute[] = [
  ['GET', '/api/v1/sessions/stream'],
  ['GET', '/sessions/stream'],
];

/** The HTTP routes of the subgraphs besides GraphQL. */
export const forwardedRoutes: Readonly<Record<SubgraphName, readonly ForwardedRoute[]>> = {
  identity: [['GET', '/.well-known/jwks.json']],
  ticketing: [
    ['GET', '/.well-known/ticket-keys.json'],
    ['GET', '/exports/orders.csv'],
    ['GET', '/pdf/receipt'],
  ],
  media: [
    ['POST', '/hooks/tusd'],
    [['GET', 'HEAD', 'OPTIONS'], '/assets/*'],
    ...['streamers', 'caches', 'load-balancers'].flatMap((nodes): ForwardedRoute[] => [
      ['ALL', `/${nodes}/:id/proxy`],
      ['ALL', `/${nodes}/:id/proxy/*`],
    ]),
  ],
};

/** A path that a URL would not keep: a backslash becomes a slash there, and `..` is resolved. */
const changesInUrl = /^[^?]*(\\|\/(\.|%2e){2}(\/|$|\?))/i;

const isEventStream = (response: { getHeader(name: string): unknown }) =>
  String(response.getHeader('content-type')).startsWith('text/event-stream');

/** Headers that only the gateway may set: where a request comes from, and its viewer. */
const gatewayHeaders = new Set(['forwarded', 'x-forwarded-host', 'x-forwarded-prefix', 'x-real-ip', SIGNED_CONTEXT]);

const prefixHeader = (prefix: string | undefined) => prefix && { 'x-forwarded-prefix': prefix };

const withoutClaims = (headers: IncomingHttpHeaders) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !gatewayHeaders.has(name)));

/**
 * Connections to a process, and its timeouts for the headers and between two chunks of the body. There are as many
 * connections as clients may have (`serverLimits`), so that slow readers block nobody.
 */
const timeLimited = {
  connections: serverLimits.connections,
  headersTimeout: 30_000,
  bodyTimeout: 120_000,
  connect: { rejectUnauthorized: true }, // reply-from accepts every certificate by default
};

/** For uploads, which may take hours, and streams, which may be silent: the process behind decides when to end. */
const unlimited = { ...timeLimited, headersTimeout: 0, bodyTimeout: 0 };

/**
 * Forwards requests unchanged, body included, to the process that serves them.
 *
 * @param long whether requests have no time limit
 * @param prefixOf reads the path prefix that a trusted proxy has removed
 */
export const forwardTo =
  (
    upstream: string,
    routes: readonly ForwardedRoute[],
    { long = false, prefixOf }: { long?: boolean; prefixOf?: ForwardedPrefix } = {},
  ): FastifyPluginAsync =>
  async (app) => {
    await app.register(replyFrom, {
      base: upstream,
      undici: long ? unlimited : timeLimited,
      destroyAgent: true,
      retryMethods: [],
      disableCache: true,
      disableRequestLogging: true,
    });
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    const streams = new Set<PassThrough>();
    app.addHook('preClose', async () => streams.forEach((stream) => stream.end())); // they would never end by themselves
    const endable = (stream: NodeJS.ReadableStream) => {
      const events = new PassThrough();
      streams.add(events);
      pipeline(stream, events, () => streams.delete(events));
      return events;
    };

    for (const [methods, url] of routes) {
      app.route({
        method: methods === 'ALL' ? allMethods(app) : (methods as HTTPMethods[]),
        url,
        exposeHeadRoute: methods === 'GET' && !long, // as Fastify adds it in the process behind
        config: {
          ...(methods === 'ALL' && { takes: 'anything' as const }), // nodes decide what they take
          ...(url === '/assets/*' && { cors: readableByAll }),
        },
        handler(request, reply) {
          if (changesInUrl.test(request.raw.url ?? '')) throw pathNotForwardable();
          return reply.from(undefined, {
            rewriteRequestHeaders: (_request, headers) => ({
              ...withoutClaims(headers),
              ...carriedTrace(),
              host: request.host,
              'x-request-id': request.id,
              'x-forwarded-for': request.ip,
              'x-forwarded-proto': request.protocol,
              ...prefixHeader(prefixOf?.(request.raw)),
            }),
            onResponse: (_request, response, { stream }) =>
              void response.send(isEventStream(response) ? endable(stream) : stream),
            onError(failed, { error }) {
              // The upstream has stopped reading the body: its rest would be left unread.
              if (!request.raw.complete) failed.header('connection', 'close');
              void failed.send(subgraphUnavailable(error));
            },
          });
        },
      });
    }
  };

const longRoutes: Readonly<Partial<Record<SubgraphName, readonly ForwardedRoute[]>>> = {
  identity: streamRoutes,
  media: uploadRoutes, // where no upload server is configured
};

/** Collects the routes that are added to a server from now on, as `GET /path`, without the HEAD routes that Fastify adds. */
export function routesMountedOn(app: FastifyInstance): ReadonlySet<string> {
  const routes = new Set<string>();
  app.addHook('onRoute', ({ method, url }) => {
    if (method === 'HEAD' && routes.has(`GET ${url}`)) return;
    for (const each of [method].flat()) routes.add(`${each} ${url}`);
  });
  return routes;
}

/**
 * @param routes as `GET /path`
 * @throws when a subgraph has a route that the gateway does not forward
 */
export function assertRoutesAreForwarded(subgraph: SubgraphName, routes: Iterable<string>): void {
  const forwarded = [...forwardedRoutes[subgraph], ...(longRoutes[subgraph] ?? [])];
  const isForwarded = (route: string) => {
    const [method = '', url] = route.split(' ');
    return forwarded.some(([methods, at]) => at === url && (methods === 'ALL' || [methods].flat().includes(method)));
  };
  const missing = [...routes].filter((route) => !isForwarded(route));
  if (missing.length > 0)
    throw new Error(`${subgraph} serves what the gateway does not pass on: ${missing.join(', ')}`);
}
