import type { MutationResolvers, QueryResolvers } from '../generated/graphql.ts';
import { listSessions } from './list-sessions.ts';
import { logout } from './logout.ts';
import { refreshSession } from './refresh-session.ts';
import { logoutEverywhere, revokeOtherSessions, revokeSession } from './revoke-sessions.ts';

export const Query = {
  sessions: (_parent, page, context) => listSessions(context, page),
} satisfies Partial<QueryResolvers>;

export const Mutation = {
  refresh: (_parent, { input }, context) => refreshSession(context, input),
  logout: (_parent, { input }, context) => logout(context, input ?? {}),
  revokeSession: (_parent, { id }, context) => revokeSession(context, id),
  revokeOtherSessions: (_parent, _none, context) => revokeOtherSessions(context),
  logoutEverywhere: (_parent, _none, context) => logoutEverywhere(context),
} satisfies Partial<MutationResolvers>;
