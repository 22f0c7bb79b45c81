import type { VisibleMedia } from '../media/media.ts';
import type { MutationResolvers, SubscriptionResolvers } from '../generated/graphql.ts';
import { cancelProcessing } from './cancel-processing.ts';
import { processMedia, processMediaItems } from './process-media.ts';
import { setPriority } from './set-priority.ts';
import { subscribeToLibrary, subscribeToProgress, type MediaChange } from './subscribe-to-media.ts';

export const Mutation = {
  processMedia: (_parent, args, context) => processMedia(context, args),
  processMediaItems: (_parent, { mediaIds }, context) => processMediaItems(context, mediaIds),
  setMediaPriority: (_parent, args, context) => setPriority(context, args),
  cancelProcessing: (_parent, args, context) => cancelProcessing(context, args),
} satisfies Partial<MutationResolvers>;

export const Subscription = {
  mediaProgress: {
    subscribe: (_parent, { mediaId }, context) => subscribeToProgress(context, mediaId),
    resolve: (media: VisibleMedia) => media,
  },
  mediaChanged: {
    subscribe: (_parent, { workspaceId }, context) => subscribeToLibrary(context, workspaceId),
    resolve: (change: MediaChange | null) => change,
  },
} satisfies Partial<SubscriptionResolvers>;
