import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { z } from 'zod';

import {
  CacheNodeDocument,
  CacheNodesDocument,
  CreateCacheNodeDocument,
  CreateLoadBalancerNodeDocument,
  CreateStreamerDocument,
  DeleteCacheNodeDocument,
  DeleteLoadBalancerNodeDocument,
  DeleteStreamerDocument,
  LoadBalancerNodeDocument,
  LoadBalancerNodesDocument,
  PingCacheNodeDocument,
  PingLoadBalancerNodeDocument,
  PingStreamerDocument,
  StreamerDocument,
  StreamersDocument,
  UpdateCacheNodeDocument,
  UpdateLoadBalancerNodeDocument,
  UpdateStreamerDocument,
  type CreateNodeInput,
  type StreamerPartsFragment,
  type UpdateNodeInput,
} from '../generated/operations.ts';
import { documentedId } from '../ids.ts';
import { OptionalPagination, paginated, offsetArguments } from '@foyer/shared/pagination';
import { present } from '../refusals.ts';
import { route, type Route } from '../route.ts';

/** All kinds of nodes have the same shape. */
type Node = StreamerPartsFragment;

interface NodeDocuments {
  create: TypedDocumentNode<{ node: Node | null }, { input: CreateNodeInput }>;
  list: TypedDocumentNode<
    { nodes: { totalCount: number; edges: { node: Node }[] } | null },
    { first: number; offset: number }
  >;
  get: TypedDocumentNode<{ node: Node | null }, { id: string }>;
  update: TypedDocumentNode<{ node: Node | null }, { input: UpdateNodeInput }>;
  remove: TypedDocumentNode<{ id: string | null }, { id: string }>;
  ping: TypedDocumentNode<{ ping: { status: string; pingedAt: string } | null }, { id: string }>;
}

const one = (found: Node | null) => {
  const node = present(found, 'node');
  return { success: true, data: { ...node, id: Number(node.id) } };
};
const openTo = (permission: string) => () => ({ permissions: [permission] });

const port = z.int().min(1).max(65_535);
const name = z.string().min(1).max(200);
const body = z.object({ name, host: z.string().min(1).max(253), httpPort: port, apiPort: port });
const params = z.object({ id: documentedId });

/** The same routes for each kind of node. The proxy is a route of the media subgraph: it carries bytes. */
const nodeRoutes = (prefix: string, documents: NodeDocuments): Route[] => [
  ...registryRoutes(prefix, documents),
  ...oneNodeRoutes(`${prefix}/:id`, documents),
];

function registryRoutes(prefix: string, { create, list }: NodeDocuments): Route[] {
  return [
    route('POST', prefix, {
      document: create,
      input: z.object({ body }),
      variables: (input) => ({ input: input.body }),
      open: openTo('device:manage'),
      reply: ({ node }) => one(node),
      status: 201,
    }),
    route('GET', prefix, {
      document: list,
      input: z.object({ query: OptionalPagination }),
      variables: ({ query }) => offsetArguments(query),
      open: openTo('device:view'),
      reply: ({ nodes }, { query }) =>
        paginated(nodes?.edges.map(({ node }) => one(node).data) ?? [], query, nodes?.totalCount ?? 0),
    }),
  ];
}

function oneNodeRoutes(path: string, { get, update, remove, ping }: NodeDocuments): Route[] {
  return [
    route('GET', path, {
      document: get,
      input: z.object({ params }),
      variables: (input) => input.params,
      open: openTo('device:view'),
      reply: ({ node }) => one(node),
    }),
    route('PUT', path, {
      document: update,
      input: z.object({ params, body: body.partial() }),
      variables: (input) => ({ input: { id: input.params.id, ...input.body } }),
      open: openTo('device:manage'),
      reply: ({ node }) => one(node),
    }),
    route('DELETE', path, {
      document: remove,
      input: z.object({ params }),
      variables: (input) => input.params,
      open: openTo('device:manage'),
      reply: ({ id }) => ({ success: true, data: { id: Number(present(id, 'node')) } }),
    }),
    route('POST', `${path}/ping`, {
      document: ping,
      input: z.object({ params }),
      variables: (input) => input.params,
      open: openTo('device:manage'),
      reply: ({ ping: answered }) => ({ success: true, data: present(answered, 'node') }),
    }),
  ];
}

/** Spec 3, "Streamer nodes"; cache and load-balancer nodes follow the same pattern. */
export const nodes = [
  ...nodeRoutes('/streamers', {
    create: CreateStreamerDocument,
    list: StreamersDocument,
    get: StreamerDocument,
    update: UpdateStreamerDocument,
    remove: DeleteStreamerDocument,
    ping: PingStreamerDocument,
  }),
  ...nodeRoutes('/caches', {
    create: CreateCacheNodeDocument,
    list: CacheNodesDocument,
    get: CacheNodeDocument,
    update: UpdateCacheNodeDocument,
    remove: DeleteCacheNodeDocument,
    ping: PingCacheNodeDocument,
  }),
  ...nodeRoutes('/load-balancers', {
    create: CreateLoadBalancerNodeDocument,
    list: LoadBalancerNodesDocument,
    get: LoadBalancerNodeDocument,
    update: UpdateLoadBalancerNodeDocument,
    remove: DeleteLoadBalancerNodeDocument,
    ping: PingLoadBalancerNodeDocument,
  }),
];
