import type { MutationResolvers } from '../generated/graphql.ts';
import { login } from './login.ts';
import { logout } from './logout.ts';
import { refreshSession } from './refresh-session.ts';

export const Mutation = {
  login: (_parent, { input }, context) => login(context, input),
  refresh: (_parent, { input }, context) => refreshSession(context, input),
  logout: (_parent, { input }, context) => logout(context, input ?? {}),
} satisfies Partial<MutationResolvers>;
