import type { QueryResolvers, RailMenuItemResolvers, RailMenuResolvers } from '../generated/graphql.ts';
import { itemsOf, listRailMenus } from './list-rail-menus.ts';

export const Query = {
  railMenus: (_parent, { organizationId }, context) => listRailMenus(context, organizationId),
} satisfies Partial<QueryResolvers>;

export const RailMenu = {
  railMenuId: ({ railMenuId }) => String(railMenuId),
  items: (railMenu, _args, context) => itemsOf(context, railMenu),
} satisfies RailMenuResolvers;

export const RailMenuItem = {
  __resolveType: (card) => ('advertisingTicketId' in card ? 'AdvertisingTicket' : 'TicketGroup'),
} satisfies RailMenuItemResolvers;
