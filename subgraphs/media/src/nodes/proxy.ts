import replyFrom from '@fastify/reply-from';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { Dispatcher } from 'undici';

import type { House } from '../context.ts';
import type { ViewerOf } from '../route-viewer.ts';
import { originOf } from '@foyer/shared/address';
import { nodeById } from './find-node.ts';
import type { NodeKind } from './node.ts';
import { permitNodeChange } from './permit.ts';
import { nodeFailure, pathNotForwardable } from './refusals.ts';

interface Needs extends Pick<House, 'db' | 'permissions'> {
  viewerOf: ViewerOf;
  /** The guarded connections: the address rules hold here as everywhere. */
  connections: Dispatcher;
}

const prefixes: Record<NodeKind, string> = {
  streamer: '/streamers',
  cache: '/caches',
  'load-balancer': '/load-balancers',
};

type ToNode = FastifyRequest<{ Params: { id: string } }>;

/**
 * The way through to a node: method, path, query and body go to it as they came, and its status and
 * body come back as they are. Where the node is, is looked up for every request.
 */
export const nodeProxy =
  ({ db, permissions, viewerOf, connections }: Needs): FastifyPluginAsync =>
  async (app) => {
    await app.register(replyFrom, {
      undici: { request: connections.request.bind(connections) as never }, // its types are of an older undici
      retryMethods: [], // a GET that the node answers with 503 would be sent eleven times
      disableCache: true,
      disableRequestLogging: true,
    });
    // A body is passed on as a stream of bytes, whatever it claims to be.
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', (_request, payload, done) => done(null, payload));

    for (const [kind, prefix] of Object.entries(prefixes) as [NodeKind, string][]) {
      const forward = async (request: ToNode, reply: FastifyReply) => {
        await permitNodeChange({ viewer: await viewerOf(request, ['device:manage']), permissions });
        const node = await nodeById({ db }, kind, request.params.id);
        return reply.from(pathOnNode(request), {
          getUpstream: () => originOf(node.host, node.apiPort),
          rewriteRequestHeaders: ({ method }, headers) => headersForNode(method, headers),
          rewriteHeaders: (headers) => without(headers, hopByHop),
          onError: (failed, { error }) => void failed.send(nodeFailure(error.cause ?? error)),
        });
      };
      app.all(`${prefix}/:id/proxy`, forward);
      app.all(`${prefix}/:id/proxy/*`, forward);
    }
  };

/** From the raw URL: the decoded one has lost what was escaped. reply-from adds the raw query by itself. */
function pathOnNode({ raw }: FastifyRequest): string {
  const path = /^\/[a-z-]+\/\d+\/proxy(\/[^?]*)?(\?|$)/.exec(raw.url ?? '');
  if (!path) throw pathNotForwardable();
  return path[1] ?? '/';
}

/** About this connection, not about the message (RFC 9110 section 7.6.1); undici refuses some of them. */
const hopByHop = [
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
  'expect',
  'http2-settings',
];

/** What proves who our user is, or where they belong, is no business of a node. */
const ours = [
  'authorization',
  'proxy-authorization',
  'cookie',
  'x-internal-token',
  'x-organization-id',
  'x-workspace-id',
];

type Headers = Record<string, string | string[] | undefined>;

function headersForNode(method: string, headers: Headers): Headers {
  // Fastify reads no body of a GET, so that there is nothing to announce.
  const bodyless = method === 'GET' || method === 'HEAD' ? ['content-length', 'content-type'] : [];
  return without(headers, [...hopByHop, ...ours, ...bodyless]);
}

const without = (headers: Headers, names: readonly string[]): Headers =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));
