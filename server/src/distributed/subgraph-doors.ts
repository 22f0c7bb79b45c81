import type { IncomingHttpHeaders } from 'node:http';
import { PassThrough, pipeline } from 'node:stream';

import replyFrom from '@fastify/reply-from';
import { allMethods } from '@foyer/shared/http/all-methods';
import { readableByAll } from '@foyer/shared/http/cors';
import { Refusal } from '@foyer/shared/errors';
import type { ForwardedPrefix } from '@foyer/shared/http/forwarded-prefix';
import { serverLimits } from '@foyer/shared/http/server-limits';
import { INTRODUCTION } from '@foyer/shared/auth/signed-viewer';
import type { SubgraphName } from '@foyer/shared/graphql/subgraph';
import { carriedTrace } from '@foyer/shared/telemetry/tracing';
import type { FastifyInstance, FastifyPluginAsync, HTTPMethods } from 'fastify';

type Door = readonly [methods: HTTPMethods | readonly HTTPMethods[] | 'ALL', url: string];

const uploading = ['POST', 'HEAD', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/** Taken by upload servers of their own, where there are any. */
export const uploadDoors: readonly Door[] = [
  [uploading, '/files'],
  [uploading, '/files/*'],
];

/** Event streams of identity: each holds its connection for as long as somebody listens. */
export const streamDoors: readonly Door[] = [
  ['GET', '/api/v1/sessions/stream'],
  ['GET', '/sessions/stream'],
];

/** What subgraphs serve besides GraphQL: bytes, and what browsers fetch. */
export const subgraphDoors: Readonly<Record<SubgraphName, readonly Door[]>> = {
  identity: [['GET', '/.well-known/jwks.json']],
  ticketing: [
    ['GET', '/.well-known/ticket-keys.json'],
    ['GET', '/exports/orders.csv'],
    ['GET', '/pdf/receipt'],
  ],
  media: [
    ['POST', '/hooks/tusd'],
    [['GET', 'HEAD', 'OPTIONS'], '/assets/*'],
    ...['streamers', 'caches', 'load-balancers'].flatMap((nodes): Door[] => [
      ['ALL', `/${nodes}/:id/proxy`],
      ['ALL', `/${nodes}/:id/proxy/*`],
    ]),
  ],
};

const away = (cause: unknown) =>
  new Refusal('UPSTREAM_UNAVAILABLE', 'SUBGRAPH_UNAVAILABLE', 'A part of the platform can not be reached.', { cause });

const isEventStream = (response: { getHeader(name: string): unknown }) =>
  String(response.getHeader('content-type')).startsWith('text/event-stream');

/** What only the gateway may say to a process behind it: where a request comes from, and who asks. */
const ofTheGateway = new Set(['forwarded', 'x-forwarded-host', 'x-forwarded-prefix', 'x-real-ip', INTRODUCTION]);

const prefixed = (prefix: string | undefined) => prefix && { 'x-forwarded-prefix': prefix };

const withoutClaims = (headers: IncomingHttpHeaders) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !ofTheGateway.has(name)));

/**
 * How many connections the process behind is given, and how long it may take to begin its answer and to go on with it:
 * as many as clients may have here (`serverLimits`), so that those who read slowly keep nobody waiting.
 */
const usual = {
  connections: serverLimits.connections,
  headersTimeout: 30_000,
  bodyTimeout: 120_000,
  connect: { rejectUnauthorized: true }, // unless told, reply-from believes every certificate
};

/** An upload may take for hours, a stream may say nothing for long: the process behind knows when it is over. */
const patient = { ...usual, headersTimeout: 0, bodyTimeout: 0 };

/**
 * Passes requests on as they come, body and all, to the process that serves them.
 *
 * @param long whether they may take as long as they like
 * @param prefixOf who else is believed about the prefix that a proxy has taken away
 */
export const passOn =
  (
    upstream: string,
    doors: readonly Door[],
    { long = false, prefixOf }: { long?: boolean; prefixOf?: ForwardedPrefix } = {},
  ): FastifyPluginAsync =>
  async (app) => {
    await app.register(replyFrom, {
      base: upstream,
      undici: long ? patient : usual,
      destroyAgent: true,
      retryMethods: [],
      disableCache: true,
      disableRequestLogging: true,
    });
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    const streams = new Set<PassThrough>();
    app.addHook('preClose', async () => streams.forEach((stream) => stream.end())); // they would go on without end
    const endable = (stream: NodeJS.ReadableStream) => {
      const events = new PassThrough();
      streams.add(events);
      pipeline(stream, events, () => streams.delete(events));
      return events;
    };

    for (const [methods, url] of doors) {
      app.route({
        method: methods === 'ALL' ? allMethods(app) : (methods as HTTPMethods[]),
        url,
        exposeHeadRoute: false,
        config: {
          ...(methods === 'ALL' && { takes: 'anything' as const }), // the way through to a node
          ...(url === '/assets/*' && { cors: readableByAll }),
        },
        handler: (request, reply) =>
          reply.from(undefined, {
            rewriteRequestHeaders: (_request, headers) => ({
              ...withoutClaims(headers),
              ...carriedTrace(),
              host: request.host,
              'x-request-id': request.id,
              'x-forwarded-for': request.ip,
              'x-forwarded-proto': request.protocol,
              ...prefixed(prefixOf?.(request.raw)),
            }),
            onResponse: (_request, response, { stream }) =>
              void response.send(isEventStream(response) ? endable(stream) : stream),
            onError(failed, { error }) {
              // Of a body that was cut off behind us nobody will read the rest.
              if (!request.raw.complete) failed.header('connection', 'close');
              void failed.send(away(error));
            },
          }),
      });
    }
  };

const longDoors: Readonly<Partial<Record<SubgraphName, readonly Door[]>>> = {
  identity: streamDoors,
  media: uploadDoors, // unless there are upload servers
};

/** The routes that are mounted on a server from now on, as `GET /path`, without what Fastify adds by itself: HEAD to GET. */
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
 * @throws when a subgraph has a route that the gateway would not pass on to it
 */
export function assertDoorsAreKnown(subgraph: SubgraphName, routes: Iterable<string>): void {
  const doors = [...subgraphDoors[subgraph], ...(longDoors[subgraph] ?? [])];
  const isKnown = (route: string) => {
    const [method = '', url] = route.split(' ');
    return doors.some(([methods, at]) => at === url && (methods === 'ALL' || [methods].flat().includes(method)));
  };
  const unknown = [...routes].filter((route) => !isKnown(route));
  if (unknown.length > 0)
    throw new Error(`${subgraph} serves what the gateway does not pass on: ${unknown.join(', ')}`);
}
