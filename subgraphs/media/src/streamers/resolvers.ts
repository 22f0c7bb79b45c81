import type { MutationResolvers, QueryResolvers } from '../generated/graphql.ts';
import { createNode } from '../nodes/create-node.ts';
import { deleteNode } from '../nodes/delete-node.ts';
import { findNode } from '../nodes/find-node.ts';
import { listNodes } from '../nodes/list-nodes.ts';
import { pingNode } from '../nodes/ping-node.ts';
import { updateStreamer } from './update-streamer.ts';

export const Query = {
  streamer: (_parent, args, context) => findNode(context, 'streamer', args),
  streamers: (_parent, args, context) => listNodes(context, 'streamer', args),
} satisfies Partial<QueryResolvers>;

export const Mutation = {
  createStreamer: (_parent, { input }, context) => createNode(context, 'streamer', input),
  updateStreamer: (_parent, { input }, context) => updateStreamer(context, input),
  deleteStreamer: (_parent, { id }, context) => deleteNode(context, 'streamer', id),
  pingStreamer: (_parent, { id }, context) => pingNode(context, 'streamer', id),
} satisfies Partial<MutationResolvers>;
