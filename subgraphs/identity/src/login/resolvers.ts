import type { MutationResolvers } from '../generated/graphql.ts';
import { login } from './login.ts';

export const Mutation = {
  login: (_parent, { input }, context) => login(context, input),
} satisfies Partial<MutationResolvers>;
