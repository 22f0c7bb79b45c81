import type { MutationResolvers } from '../generated/graphql.ts';
import { inviteUser } from './invite-user.ts';
import { reinviteUser } from './reinvite-user.ts';

export const Mutation = {
  inviteUser: (_parent, { organizationId, input }, context) => inviteUser(context, organizationId, input),
  reinviteUser: (_parent, { organizationId, userId }, context) => reinviteUser(context, organizationId, userId),
} satisfies Partial<MutationResolvers>;
