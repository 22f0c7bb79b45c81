import { createHash } from 'node:crypto';

import { demo } from '@foyer/shared/demo';

/** Who reads: an administrator of the large organization, a member of one workspace of it, or the owner of the platform. */
export type Reader = 'administrator' | 'member' | 'platform' | 'anybody';

export interface List {
  name: string;
  as: Reader;
  /** The entity that has the list. */
  within?: string;
  /** The field, with its arguments; the page is added to them. */
  field: string;
  arguments?: string;
  node: string;
  /** Selects the row in the middle of the list: the values of its cursor, in their order. */
  middle?: string;
  /** The cursor is the value itself. */
  plainCursor?: true;
  /** Also counted, where it has `totalCount`. */
  counted?: true;
}

const { organizationId, workspaceId } = demo.acme;
const middleOf = (columns: string, rest: string, by: string) =>
  `SELECT ${columns} ${rest} ORDER BY ${by} OFFSET (SELECT count(*) ${rest}) / 2 LIMIT 1`;

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
const ofAcme = `organization_id = '${organizationId}'`;

/** A day that is within the smallest of the sizes, too. */
const day = new Date(Date.now() - 363 * 86_400_000).toISOString().slice(0, 10);

const orderLists: List[] = [
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
  {
    name: 'ticket groups with a rare tag',
    as: 'anybody',
    field: 'ticketGroups',
    arguments: 'filter: { tag: "rare" }',
    node: 'ticketGroupId groupNameEn location',
  },
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

const sorts = {
  NEWEST: { value: `''`, by: 'id DESC' },
  OLDEST: { value: `''`, by: 'id' },
  TITLE: { value: 'title_key', by: 'title_key, id' },
  LARGEST: { value: 'file_size', by: 'file_size DESC, id DESC' },
  LONGEST: { value: `coalesce(duration::text, '')`, by: 'duration DESC NULLS LAST, id DESC' },
};

const library = (name: string, given: string, where: string, order: keyof typeof sorts = 'NEWEST'): List => {
  const { value, by } = sorts[order];
  return {
    name: `library, ${name}`,
    as: 'administrator',
    field: 'mediaList',
    arguments: `filter: { ${given} }, sort: ${order}`,
    node: 'id title mediaType fileSize assetUrl thumbnailUrl createdAt',
    middle: middleOf(`'${order}' AS sort, ${value} AS value, id`, `FROM media.media WHERE ${where}`, by),
    counted: true,
  };
};
const here = `workspaceId: "${workspaceId}"`;
const inWorkspace = `workspace_id = '${workspaceId}'`;

const mediaLists: List[] = [
  ...(['NEWEST', 'OLDEST', 'TITLE', 'LARGEST', 'LONGEST'] as const).flatMap((order) => [
    library(`${order}, of a workspace`, here, inWorkspace, order),
    library(`${order}, of all workspaces`, '', ofAcme, order),
  ]),
  library('a frequent type', `${here}, type: "video"`, `${inWorkspace} AND media_type = 'video'`),
  library('a rare type', `${here}, type: "slides"`, `${inWorkspace} AND media_type = 'slides'`),
  library('a rare type, of all workspaces', 'type: "slides"', `${ofAcme} AND media_type = 'slides'`),
  library('a rare status', `${here}, status: failed`, `${inWorkspace} AND status = 'failed'`),
  library('a rare stage', `${here}, transcodingStage: failed`, `${inWorkspace} AND transcoding_stage = 'failed'`),
  library('a tenant', `${here}, tenant: "tenant1"`, `${inWorkspace} AND tenant = 'tenant1'`),
  library('a folder', `${here}, folder: "folder 3/4"`, `${inWorkspace} AND folder = 'folder 3/4'`),
  library('a folder and below', `${here}, folderTree: "folder 3"`, `${inWorkspace} AND folder LIKE 'folder 3/%'`),
  library('a day', `${here}, createdFrom: "${day}T00:00:00Z", createdBefore: "${day}T12:00:00Z"`, 'false'),
  library('a text in few', `${here}, text: "c4ca4238a0b9"`, 'false'),
  library('a text in all', `${here}, text: "film"`, inWorkspace),
];

const uploads: List = {
  name: 'uploads of a person',
  as: 'administrator',
  within: `user(id: "${createHash('md5')
    .update('user2')
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')}")`,
  field: 'media',
  node: 'id title',
  middle: middleOf(
    `'NEWEST' AS sort, '' AS value, id`,
    `FROM media.media WHERE created_by = md5('user2')::uuid::text`,
    'id DESC',
  ),
};

const by = (name: string, field: string, given: string, node: string, middle: string, as: Reader = 'administrator') =>
  ({ name, as, field, arguments: given, node, middle, plainCursor: true, counted: true }) satisfies List;

const identityLists: List[] = [
  by(
    'members of an organization',
    'members',
    '',
    'role user { id name }',
    middleOf('user_id', `FROM tenancy.organization_members WHERE ${ofAcme}`, 'user_id'),
  ),
  by(
    'members of a workspace',
    'workspaceMembers',
    `workspaceId: "${workspaceId}"`,
    'role user { id name }',
    middleOf('user_id', `FROM tenancy.workspace_members WHERE ${inWorkspace}`, 'user_id'),
  ),
  by(
    'members of a team',
    'teamMembers',
    `teamId: "${demo.acme.teamId}"`,
    'role user { id name }',
    middleOf('user_id', `FROM tenancy.team_members WHERE team_id = '${demo.acme.teamId}'`, 'user_id'),
  ),
  by(
    'members with a rare role',
    'roleMembers',
    'roleId: "ORG_ADMIN"',
    'user { id name }',
    middleOf('user_id', `FROM tenancy.organization_members WHERE ${ofAcme} AND role_id = 'ORG_ADMIN'`, 'user_id'),
  ),
  by('organizations', 'organizations', '', 'id name', middleOf('id', 'FROM tenancy.organizations', 'id'), 'platform'),
  by(
    'audit log',
    'auditLog',
    `organizationId: "${organizationId}"`,
    'at action result',
    middleOf('id', `FROM auth.audit_log WHERE ${ofAcme}`, 'id DESC'),
  ),
  by(
    'audit log, a rare action',
    'auditLog',
    `organizationId: "${organizationId}", action: "team.created"`,
    'at action result',
    middleOf('id', `FROM auth.audit_log WHERE ${ofAcme} AND action = 'team.created'`, 'id DESC'),
  ),
];

export const lists: List[] = [...orderLists, ...mediaLists, uploads, ...identityLists];
