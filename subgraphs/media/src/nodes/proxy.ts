import { allMethods } from '@foyer/shared/http/all-methods';
import { whileConnected } from '@foyer/shared/http/error-body';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { Dispatcher } from 'undici';

import { originOf } from '@foyer/shared/http/addresses/address';
import type { Services } from '../context.ts';
import type { ViewerOf } from '../route-viewer.ts';
import { limitExchange, type ExchangeLimits } from './exchange-limits.ts';
import { nodeById } from './find-node.ts';
import type { NodeKind } from './node.ts';
import { permitNodeChange } from './permit-node.ts';
import { headersForNode, headersFromNode } from './proxied-headers.ts';
import { nodeFailure, nodeIdMalformed, nodeRefused, pathNotForwardable } from './refusals.ts';

interface Needs extends Pick<Services, 'db' | 'permissions'> {
  viewerOf: ViewerOf;
  /** The connections to nodes, which enforce the address policy. */
  connections: Dispatcher;
  limits: ExchangeLimits;
}

const prefixes: Record<NodeKind, string> = {
  streamer: '/streamers',
  cache: '/caches',
  'load-balancer': '/load-balancers',
};

type ProxyRequest = FastifyRequest<{ Params: { id: string } }>;

/**
 * The proxy to nodes: passes method, path, query and body on unchanged, and returns status and body of the response. The
 * node's address is looked up for every request.
 *
 * Of the response headers only a few are passed on: under our origin a node would speak in our name.
 */
export const nodeProxy =
  (needs: Needs): FastifyPluginAsync =>
  async (app) => {
    // A body is passed on as a stream of bytes, whatever its type.
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', (_request, payload, done) => done(null, payload));

    const method = allMethods(app);
    for (const [kind, prefix] of Object.entries(prefixes) as [NodeKind, string][]) {
      const forward = async (request: ProxyRequest, reply: FastifyReply) => {
        const viewer = await needs.viewerOf(request, ['device:manage']);
        await permitNodeChange({ viewer, permissions: needs.permissions });
        if (!/^\d{1,18}$/.test(request.params.id)) throw nodeIdMalformed();
        const node = await nodeById(needs, kind, request.params.id);
        return forwardTo(needs, originOf(node.host, node.apiPort), { request, reply });
      };
      const verbatim = { config: { takes: 'anything' } } as const;
      for (const url of [`${prefix}/:id/proxy`, `${prefix}/:id/proxy/*`]) {
        app.route({ method, url, exposeHeadRoute: false, ...verbatim, handler: forward });
      }
    }
  };

type Exchange = { request: FastifyRequest; reply: FastifyReply };

async function forwardTo({ connections, limits }: Needs, origin: string, { request, reply }: Exchange) {
  const path = pathOnNode(request);
  const exchange = limitExchange(request.raw, request.body !== undefined, limits);
  reply.raw.once('close', exchange.end);
  const gone = whileConnected(reply.raw);
  try {
    const { statusCode, headers, body } = await connections.request({
      origin,
      path,
      method: request.method,
      headers: headersForNode(request.method, request.headers),
      body: exchange.body,
      signal: AbortSignal.any([exchange.signal, gone]),
      bodyTimeout: limits.idleMs,
    });
    body.on('error', () => undefined); // Fastify aborts the response; this covers the time before it listens
    if (!isStatus(statusCode)) throw nodeRefused(statusCode);
    if (!request.raw.complete) reply.header('connection', 'close'); // the rest of the request stays unread
    void reply
      .code(statusCode)
      .headers(headersFromNode(headers, reply.getHeader('vary')?.toString()))
      .send(body);
  } catch (error) {
    if (gone.aborted) return reply.hijack();
    if (!request.raw.complete) reply.header('connection', 'close');
    throw nodeFailure(error);
  }
  return reply;
}

/** Whether a status is valid and final. */
const isStatus = (status: number) => status >= 200 && status <= 599;

/** Path traversal, also with escaped dots. */
const dotted = /(^|[/\\])(\.|%2e){2}([/\\]|$)/i;

/** Returns path and query for the node from the raw URL: decoding would lose what was escaped. */
function pathOnNode({ raw }: FastifyRequest): string {
  const match = /^\/[a-z-]+\/\d+\/proxy(\/[^?]*)?(\?.*)?$/.exec(raw.url ?? '');
  const [, path = '/', query = ''] = match ?? [];
  if (!match || dotted.test(path)) throw pathNotForwardable();
  return `${path}${query}`;
}
