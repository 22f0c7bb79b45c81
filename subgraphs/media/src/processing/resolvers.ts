import type { VisibleMedia } from '../media/media.ts';
import type { MutationResolvers, SubscriptionResolvers } from '../generated/graphql.ts';
import { processMedia } from './process-media.ts';
import { watchLibrary, watchProgress, type MediaChange } from './subscribe-to-media.ts';

export const Mutation = {
  processMedia: (_parent, args, context) => processMedia(context, args),
} satisfies Partial<MutationResolvers>;

export const Subscription = {
  mediaProgress: {
    subscribe: (_parent, { mediaId }, context) => watchProgress(context, mediaId),
    resolve: (media: VisibleMedia) => media,
  },
  mediaChanged: {
    subscribe: (_parent, { workspaceId }, context) => watchLibrary(context, workspaceId),
    resolve: (change: MediaChange) => change,
  },
} satisfies Partial<SubscriptionResolvers>;
