import type { VisibleMedia } from '../media/media.ts';
import type { MutationResolvers, SubscriptionResolvers } from '../generated/graphql.ts';
import { processMedia } from './process-media.ts';
import { subscribeToLibrary, subscribeToProgress, type MediaChange } from './subscribe-to-media.ts';

export const Mutation = {
  processMedia: (_parent, args, context) => processMedia(context, args),
} satisfies Partial<MutationResolvers>;

export const Subscription = {
  mediaProgress: {
    subscribe: (_parent, { mediaId }, context) => subscribeToProgress(context, mediaId),
    resolve: (media: VisibleMedia) => media,
  },
  mediaChanged: {
    subscribe: (_parent, { workspaceId }, context) => subscribeToLibrary(context, workspaceId),
    resolve: (change: MediaChange) => change,
  },
} satisfies Partial<SubscriptionResolvers>;
