import type { MutationResolvers, QueryResolvers } from '../generated/graphql.ts';
import { listDailyCapacities } from './list-daily-capacities.ts';
import { setDailyCapacities } from './set-daily-capacities.ts';

export const Query = {
  dailyCapacities: (_parent, args, context) => listDailyCapacities(context, args),
} satisfies Partial<QueryResolvers>;

export const Mutation = {
  setDailyCapacities: (_parent, args, context) => setDailyCapacities(context, args),
} satisfies Partial<MutationResolvers>;
