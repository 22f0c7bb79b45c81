import {
  CUSTOMER,
  day,
  inWorkspace,
  middleOf,
  ofAcme,
  organizationId,
  workspaceId,
  type List,
  type Reader,
} from './list.ts';

const orders = (where: string) =>
  middleOf(
    'created_at, order_ticket_group_id',
    `FROM ticketing.order_ticket_group WHERE ${where}`,
    'created_at DESC, order_ticket_group_id DESC',
  );
const ORDER = 'orderNo transactionStatus totalAmount buyerName buyerEmail admitDate createdAt';
const managed = (name: string, filter: string, where: string, as: Reader = 'administrator'): List => ({
  name: `orders, ${name}`,
  as,
  field: 'orders',
  arguments: filter && `filter: { ${filter} }`,
  node: ORDER,
  middle: orders(where),
  counted: true,
});
const CAMPAIGN = 'id name targetGroupName status';
const campaigns = (name: string, list: Pick<List, 'within' | 'field' | 'arguments'>, where: string): List => ({
  name: `campaigns of ${name}`,
  as: 'administrator',
  node: CAMPAIGN,
  middle: middleOf('created_at, id', `FROM ticketing.campaign WHERE ${where}`, 'created_at DESC, id DESC'),
  ...list,
});
const tagged = (name: string, tag: string): List => ({
  name: `ticket groups with ${name}`,
  as: 'anybody',
  field: 'ticketGroups',
  arguments: `filter: { tag: "${tag}" }`,
  node: 'ticketGroupId groupNameEn location',
  middle: middleOf(
    'placement, ticket_group_id',
    `FROM ticketing.ticket_group WHERE is_active AND tags @> ARRAY['${tag}']`,
    'placement, ticket_group_id',
  ),
});
const organization = `organization(id: "${organizationId}")`;
const workspace = `workspace(id: "${workspaceId}")`;

export const ticketingLists: List[] = [
  managed('of all workspaces', '', ofAcme),
  managed('of one workspace', '', `workspace_id = '${workspaceId}'`, 'member'),
  managed('of all organizations', '', 'true', 'platform'),
  managed('a frequent status', 'status: SUCCESS', `${ofAcme} AND transaction_status = 'SUCCESS'`),
  managed('a rare status', 'status: PENDING', `${ofAcme} AND transaction_status = 'PENDING'`),
  managed(
    'a rare status, of one workspace',
    'status: PENDING',
    `workspace_id = '${workspaceId}' AND transaction_status = 'PENDING'`,
    'member',
  ),
  managed('a rare status, of all organizations', 'status: PENDING', `transaction_status = 'PENDING'`, 'platform'),
  managed('a ticket group', 'ticketGroupId: "1000002"', 'ticket_group_id = 1000002'),
  managed(
    'a day',
    `startDate: "${day}", endDate: "${day}"`,
    `${ofAcme} AND created_at >= '${day}' AND created_at < '${day}'::date + 1`,
  ),
  managed('open reviews', 'review: OPEN', `${ofAcme} AND review_reason IS NOT NULL AND review_resolved_at IS NULL`),
  managed('a reason of reviews', 'reviewReason: REFUND_DUE', `${ofAcme} AND review_reason = 'REFUND_DUE'`),
  managed(
    'decided reviews',
    'review: RESOLVED',
    `${ofAcme} AND review_reason IS NOT NULL AND review_resolved_at IS NOT NULL`,
  ),
  managed('an order number', 'query: "ORDER"', 'false'),
  managed('an e-mail', 'query: "buyer357@growth.test"', 'false'),
  managed('a name', 'query: "Siti "', 'false'),
  managed('a text that is nowhere', 'query: "zzqqxx"', 'false'),
  {
    ...managed('of an organization', '', ofAcme),
    within: organization,
  },
  {
    name: 'orders of a customer',
    as: 'customer',
    field: 'myOrders',
    node: ORDER,
    middle: orders(`cust_id = '${CUSTOMER}'`),
    counted: true,
  },
  {
    name: 'orders of a customer, a frequent status',
    as: 'customer',
    field: 'myOrders',
    arguments: 'status: SUCCESS',
    node: ORDER,
    middle: orders(`cust_id = '${CUSTOMER}' AND transaction_status = 'SUCCESS'`),
    counted: true,
  },
  {
    name: 'mails that were given up',
    as: 'administrator',
    field: 'orderMails',
    node: 'deliveryId recipient lastError order { orderNo }',
    middle: middleOf(
      'created_at, delivery_id',
      `FROM ticketing.delivery WHERE state = 'DEAD'`,
      'created_at DESC, delivery_id DESC',
    ),
  },
  {
    name: 'mails that were sent',
    as: 'administrator',
    field: 'orderMails',
    arguments: 'state: SENT',
    node: 'deliveryId recipient order { orderNo }',
    middle: middleOf(
      'created_at, delivery_id',
      `FROM ticketing.delivery WHERE state = 'SENT'`,
      'created_at DESC, delivery_id DESC',
    ),
  },
  {
    name: 'notifications',
    as: 'administrator',
    field: 'notifications',
    node: 'notificationId title message date isRead',
    middle: middleOf('position', `FROM ticketing.notification WHERE ${ofAcme} AND NOT is_deleted`, 'position DESC'),
  },
  {
    name: 'notifications of a workspace',
    as: 'administrator',
    within: workspace,
    field: 'notifications',
    node: 'notificationId title message date isRead',
    middle: middleOf(
      'position',
      `FROM ticketing.notification WHERE ${inWorkspace} AND NOT is_deleted`,
      'position DESC',
    ),
  },
  campaigns('an organization', { field: 'campaigns', arguments: `organizationId: "${organizationId}"` }, ofAcme),
  campaigns('an organization, within it', { within: organization, field: 'campaigns' }, ofAcme),
  campaigns('a workspace, within it', { within: workspace, field: 'campaigns' }, inWorkspace),
  {
    name: 'advertising tickets',
    as: 'administrator',
    field: 'managedAdvertisingTicketConnection',
    arguments: 'all: true',
    node: 'advertisingTicketId titleEn placement',
    middle: middleOf(
      'placement, advertising_ticket_id',
      `FROM ticketing.advertising_ticket WHERE ${ofAcme}`,
      'placement, advertising_ticket_id',
    ),
  },
  {
    name: 'ticket groups on offer of an organization',
    as: 'anybody',
    field: 'ticketGroups',
    arguments: `filter: { organizationId: "${organizationId}" }`,
    node: 'ticketGroupId groupNameEn location',
    middle: middleOf(
      'placement, ticket_group_id',
      `FROM ticketing.ticket_group WHERE is_active AND ${ofAcme}`,
      'placement, ticket_group_id',
    ),
  },
  {
    name: 'ticket groups on offer',
    as: 'anybody',
    field: 'ticketGroups',
    node: 'ticketGroupId groupNameEn location',
    middle: middleOf(
      'placement, ticket_group_id',
      'FROM ticketing.ticket_group WHERE is_active',
      'placement, ticket_group_id',
    ),
  },
  tagged('a rare tag', 'rare'),
  tagged('a frequent tag', 'family'),
  {
    name: 'ticket groups of a workspace',
    as: 'administrator',
    field: 'managedTicketGroups',
    arguments: `workspaceId: "${workspaceId}"`,
    node: 'ticketGroupId groupNameEn location',
    middle: middleOf(
      'placement, ticket_group_id',
      `FROM ticketing.ticket_group WHERE workspace_id = '${workspaceId}'`,
      'placement, ticket_group_id',
    ),
  },
];
