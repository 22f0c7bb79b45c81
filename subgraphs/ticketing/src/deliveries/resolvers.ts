import type {
  MutationResolvers,
  OrderMailConnectionResolvers,
  OrderMailResolvers,
  QueryResolvers,
} from '../generated/graphql.ts';
import { listMails } from './list-mails.ts';
import { resendTickets } from './resend-tickets.ts';
import { sendMailAgain } from './send-mail-again.ts';

export const Query = {
  orderMails: (_parent, args, context) => listMails(context, args),
} satisfies Partial<QueryResolvers>;

export const Mutation = {
  resendTickets: (_parent, names, context) => resendTickets(context, names),
  sendMailAgain: (_parent, args, context) => sendMailAgain(context, args),
} satisfies Partial<MutationResolvers>;

export const OrderMail = {
  deliveryId: ({ deliveryId }) => String(deliveryId),
  order: ({ order }) => ({ ...order, seenBy: 'staff' }),
} satisfies OrderMailResolvers;

export const OrderMailConnection = {
  totalCount: ({ where }, _args, { db }) => db.delivery.count({ where }),
} satisfies OrderMailConnectionResolvers;
