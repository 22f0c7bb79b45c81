import type { MutationResolvers } from '../generated/graphql.ts';
import { reconcile } from './reconcile.ts';

export const Mutation = {
  reconcile: (_parent, { dryRun }, context) => reconcile(context, { dryRun }),
} satisfies Partial<MutationResolvers>;
