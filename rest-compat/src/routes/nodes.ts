import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { z } from 'zod';

import { NumericId, ok, okOf, pageOf, pageReply } from '../answers/envelope.ts';
import { Node, oneNode, Ping, type NodeParts } from '../answers/nodes.ts';
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
  type UpdateNodeInput,
} from '../generated/operations.ts';
import { documentedId } from '../ids.ts';
import { OptionalPagination, offsetArguments } from '@foyer/shared/pagination';
import { present } from '../refusals.ts';
import { route, type Route } from '../route.ts';

interface NodeDocuments {
  create: TypedDocumentNode<{ node: NodeParts }, { input: CreateNodeInput }>;
  list: TypedDocumentNode<
    { nodes: { totalCount: number; edges: { node: NodeParts }[] } | null },
    { first: number; offset: number }
  >;
  get: TypedDocumentNode<{ node: NodeParts | null }, { id: string }>;
  update: TypedDocumentNode<{ node: NodeParts }, { input: UpdateNodeInput }>;
  remove: TypedDocumentNode<{ id: string }, { id: string }>;
  ping: TypedDocumentNode<{ ping: z.input<typeof Ping> }, { id: string }>;
}

const openTo = (permission: string) => () => ({ permissions: [permission] });

const port = z.int().min(1).max(65_535);
const name = z.string().min(1).max(200);
const body = z
  .object({ name, host: z.string().min(1).max(253), httpPort: port, apiPort: port })
  .meta({ id: 'NodeInput' });
const changes = body.partial().meta({ id: 'NodeChanges' });
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
      answer: okOf(Node),
      reply: ({ node }) => ok(oneNode(node)),
      status: 201,
    }),
    route('GET', prefix, {
      document: list,
      input: z.object({ query: OptionalPagination }),
      variables: ({ query }) => offsetArguments(query),
      open: openTo('device:view'),
      answer: pageOf(Node),
      reply: ({ nodes }, { query }) => pageReply(nodes, oneNode, query),
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
      answer: okOf(Node),
      reply: ({ node }) => ok(oneNode(present(node, 'node'))),
    }),
    route('PUT', path, {
      document: update,
      input: z.object({ params, body: changes }),
      variables: (input) => ({ input: { id: input.params.id, ...input.body } }),
      open: openTo('device:manage'),
      answer: okOf(Node),
      reply: ({ node }) => ok(oneNode(node)),
    }),
    route('DELETE', path, {
      document: remove,
      input: z.object({ params }),
      variables: (input) => input.params,
      open: openTo('device:manage'),
      answer: okOf(NumericId),
      reply: ({ id }) => ok({ id: Number(id) }),
    }),
    route('POST', `${path}/ping`, {
      document: ping,
      input: z.object({ params }),
      variables: (input) => input.params,
      open: openTo('device:manage'),
      answer: okOf(Ping),
      reply: ({ ping }) => ok(ping),
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
