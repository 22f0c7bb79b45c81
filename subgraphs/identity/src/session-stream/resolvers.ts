import type { SubscriptionResolvers } from '../generated/graphql.ts';
import type { RevokedSession } from './revoked-session.ts';
import { watchSessions } from './watch-sessions.ts';

export const Subscription = {
  sessionRevoked: {
    subscribe: async (_parent, { after }, context) => (await watchSessions(context, after)).revoked as never,
    resolve: (revoked: RevokedSession) => revoked,
  },
} satisfies Partial<SubscriptionResolvers>;
