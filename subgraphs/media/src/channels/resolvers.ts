import type { ChannelOrigin as OriginRow } from '@foyer/prisma/client';

import type {
  ChannelOriginResolvers,
  ChannelResolvers,
  MutationResolvers,
  OrganizationResolvers,
  QueryResolvers,
  SubscriptionResolvers,
  WorkspaceResolvers,
} from '../generated/graphql.ts';
import { createChannel } from './create-channel.ts';
import { deleteChannel } from './delete-channel.ts';
import { listOrganizationChannels, listChannels } from './list-channels.ts';
import { findPermittedChannel } from './permit-channel.ts';
import { updateChannel } from './update-channel.ts';
import { subscribeToOrigins } from './subscribe-to-origins.ts';

export const Query = {
  channel: (_parent, { id }, context) => findPermittedChannel(context, id, 'media:view'),
  channels: (_parent, args, context) => listChannels(context, args),
} satisfies Partial<QueryResolvers>;

export const Mutation = {
  createChannel: (_parent, { input }, context) => createChannel(context, input),
  updateChannel: (_parent, { input }, context) => updateChannel(context, input),
  deleteChannel: (_parent, { id }, context) => deleteChannel(context, id),
} satisfies Partial<MutationResolvers>;

export const Subscription = {
  originStatusChanged: {
    subscribe: (_parent, { channelId }, context) => subscribeToOrigins(context, channelId),
    resolve: (origin: OriginRow | null) => origin,
  },
} satisfies Partial<SubscriptionResolvers>;

export const Channel = {
  sourceLabel: ({ sourceLabel, sourceType }) => sourceLabel ?? sourceType,
  workspace: ({ workspaceId }) => (workspaceId ? { id: workspaceId } : null),
  // None when it was deleted since it was read: one such channel would spoil a whole list.
  origins: async ({ id }, _args, { db }) =>
    (await db.channel.findUnique({ where: { id } }).origins({ orderBy: { id: 'asc' } })) ?? [],
} satisfies Partial<ChannelResolvers>;

export const ChannelOrigin = {
  streamer: ({ streamerId: id }, _args, { db }) => db.streamer.findUniqueOrThrow({ where: { id } }),
} satisfies Partial<ChannelOriginResolvers>;

export const Organization = {
  channels: ({ id }, args, context) => listOrganizationChannels(context, id, args),
} satisfies Partial<OrganizationResolvers>;

export const Workspace = {
  channels: ({ id }, args, context) => listChannels(context, { ...args, workspaceId: id }),
} satisfies Partial<WorkspaceResolvers>;
