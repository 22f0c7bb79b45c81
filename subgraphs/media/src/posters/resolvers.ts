import type { MediaPosterState, MediaResolvers, MutationResolvers } from '../generated/graphql.ts';
import type { VisibleMedia } from '../media/media.ts';
import { removeMediaPoster } from './remove-poster.ts';
import { setMediaPoster } from './set-poster.ts';

export const Mutation = {
  setMediaPoster: (_parent, args, context) => setMediaPoster(context, args),
  removeMediaPoster: (_parent, args, context) => removeMediaPoster(context, args),
} satisfies Partial<MutationResolvers>;

export const Media = {
  poster: (media) => {
    const state = stateOf(media);
    return state && { state, failureReason: media.posterFailure ?? null };
  },
} satisfies Partial<MediaResolvers>;

function stateOf({ posterRequest, posterFailure, posterKey }: VisibleMedia): MediaPosterState | null {
  if (posterRequest) return 'drawing';
  if (posterFailure) return 'failed';
  return posterKey ? 'drawn' : null;
}
