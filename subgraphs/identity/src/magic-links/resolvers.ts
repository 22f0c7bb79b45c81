import type { MutationResolvers, QueryResolvers } from '../generated/graphql.ts';
import { readMagicLink } from './read-magic-link.ts';
import { redeemMagicLink } from './redeem-magic-link.ts';

export const Query = {
  magicLink: (_parent, { token }, context) => readMagicLink(context, token),
} satisfies Partial<QueryResolvers>;

export const Mutation = {
  redeemMagicLink: (_parent, { input }, context) => redeemMagicLink(context, input),
} satisfies Partial<MutationResolvers>;
