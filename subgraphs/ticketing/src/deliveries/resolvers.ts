import type { MutationResolvers } from '../generated/graphql.ts';
import { resendTickets } from './resend-tickets.ts';

export const Mutation = {
  resendTickets: (_parent, names, context) => resendTickets(context, names),
} satisfies Partial<MutationResolvers>;
