import type { MutationResolvers } from '../generated/graphql.ts';
import { processMedia } from './process-media.ts';

export const Mutation = {
  processMedia: (_parent, { id }, context) => processMedia(context, id),
} satisfies Partial<MutationResolvers>;
