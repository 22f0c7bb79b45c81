import type { MutationResolvers, QueryResolvers, SubscriptionResolvers } from '../generated/graphql.ts';
import { listSessions } from './list-sessions.ts';
import { login } from './login.ts';
import { logout } from './logout.ts';
import { refreshSession } from './refresh-session.ts';
import { logoutEverywhere, revokeOtherSessions, revokeSession } from './revoke-sessions.ts';
import type { RevokedSession } from './session.ts';
import { watchSessions } from './watch-sessions.ts';

export const Query = {
  sessions: (_parent, page, context) => listSessions(context, page),
} satisfies Partial<QueryResolvers>;

export const Mutation = {
  login: (_parent, { input }, context) => login(context, input),
  refresh: (_parent, { input }, context) => refreshSession(context, input),
  logout: (_parent, { input }, context) => logout(context, input ?? {}),
  revokeSession: (_parent, { id }, context) => revokeSession(context, id),
  revokeOtherSessions: (_parent, _none, context) => revokeOtherSessions(context),
  logoutEverywhere: (_parent, _none, context) => logoutEverywhere(context),
} satisfies Partial<MutationResolvers>;

export const Subscription = {
  sessionRevoked: {
    subscribe: async (_parent, { after }, context) => (await watchSessions(context, after)).news as never,
    resolve: (revoked: RevokedSession) => revoked,
  },
} satisfies Partial<SubscriptionResolvers>;
