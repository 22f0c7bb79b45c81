import type { MutationResolvers } from '../generated/graphql.ts';
import { prepareUpload } from './prepare-upload.ts';

export const Mutation = {
  prepareUpload: (_parent, { input }, context) => prepareUpload(context, input),
} satisfies Partial<MutationResolvers>;
