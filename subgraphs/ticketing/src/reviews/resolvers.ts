import type { MutationResolvers } from '../generated/graphql.ts';
import { resolveReview } from './resolve-review.ts';

export const Mutation = {
  resolveReview: (_parent, args, context) => resolveReview(context, args),
} satisfies Partial<MutationResolvers>;
