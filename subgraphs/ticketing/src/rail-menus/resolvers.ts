import type {
  AdvertisingTicketResolvers,
  MutationResolvers,
  QueryResolvers,
  RailMenuItemResolvers,
  RailMenuResolvers,
} from '../generated/graphql.ts';
import { assignToRailMenu, unassignFromRailMenu } from './assign-advertising-ticket.ts';
import { createRailMenu } from './create-rail-menu.ts';
import { deleteRailMenu } from './delete-rail-menu.ts';
import { listManagedRailMenus } from './list-managed-rail-menus.ts';
import { itemsOf, listRailMenus, railMenusOf } from './list-rail-menus.ts';
import { placeTicketGroup, removeTicketGroup } from './place-ticket-group.ts';
import { sortRailMenus } from './sort-rail-menus.ts';
import { updateRailMenu } from './update-rail-menu.ts';

export const Query = {
  railMenus: (_parent, { organizationId }, context) => listRailMenus(context, organizationId),
  managedRailMenus: (_parent, { workspaceId }, context) => listManagedRailMenus(context, workspaceId),
} satisfies Partial<QueryResolvers>;

export const Mutation = {
  createRailMenu: (_parent, args, context) => createRailMenu(context, args),
  updateRailMenu: (_parent, args, context) => updateRailMenu(context, args),
  deleteRailMenu: (_parent, { railMenuId }, context) => deleteRailMenu(context, railMenuId),
  sortRailMenus: (_parent, args, context) => sortRailMenus(context, args),
  placeTicketGroupInRailMenu: (_parent, args, context) => placeTicketGroup(context, args),
  removeTicketGroupFromRailMenu: (_parent, pair, context) => removeTicketGroup(context, pair),
  assignToRailMenu: (_parent, pair, context) => assignToRailMenu(context, pair),
  unassignFromRailMenu: (_parent, pair, context) => unassignFromRailMenu(context, pair),
} satisfies Partial<MutationResolvers>;

export const AdvertisingTicket = {
  railMenus: ({ advertisingTicketId }, _args, context) => railMenusOf(context, advertisingTicketId),
} satisfies Partial<AdvertisingTicketResolvers>;

export const RailMenu = {
  railMenuId: ({ railMenuId }) => String(railMenuId),
  items: (railMenu, _args, context) => itemsOf(context, railMenu),
} satisfies RailMenuResolvers;

export const RailMenuItem = {
  __resolveType: (card) => ('advertisingTicketId' in card ? 'AdvertisingTicket' : 'TicketGroup'),
} satisfies RailMenuItemResolvers;
