import type { MutationResolvers, TicketVariantResolvers } from '../generated/graphql.ts';
import { ringgit } from '../units/money.ts';
import { createTicketVariant } from './create-ticket-variant.ts';
import { dailyCapacityOf } from './daily-capacity-of.ts';
import { sortTicketVariants } from './sort-ticket-variants.ts';
import { updateTicketVariant } from './update-ticket-variant.ts';

export const Mutation = {
  createTicketVariant: (_parent, args, context) => createTicketVariant(context, args),
  updateTicketVariant: (_parent, args, context) => updateTicketVariant(context, args),
  sortTicketVariants: (_parent, args, context) => sortTicketVariants(context, args),
} satisfies Partial<MutationResolvers>;

export const TicketVariant = {
  ticketVariantId: ({ ticketVariantId }) => String(ticketVariantId),
  dailyCapacity: (variant, _args, context) => dailyCapacityOf(context, variant),
  unitPrice: ({ unitPriceSen }) => ringgit(unitPriceSen),
} satisfies TicketVariantResolvers;
