import { randomBytes, randomInt, randomUUID } from 'node:crypto';

import type { PrismaClient } from '@foyer/prisma/client';

import type { FurnishedOrganization } from './furnished-organization.ts';
import { areThere } from './rows.ts';

/** What an argument may refer to. */
export type Thing =
  | 'organization'
  | 'workspace'
  | 'user'
  | 'team'
  | 'organization role'
  | 'workspace role'
  | 'e-mail profile'
  | 'session'
  | 'media'
  | 'channel'
  | 'campaign'
  | 'target group'
  | 'advertising ticket'
  | 'rail menu'
  | 'ticket group'
  | 'offered group'
  | 'ticket variant'
  | 'item'
  | 'notification'
  | 'order'
  | 'bill'
  | 'product'
  | 'transaction'
  | 'customer';

export interface Belongings {
  ids: Readonly<Record<Thing, string>>;
  /** Puts back what a call has changed or removed. */
  restore(): Promise<void>;
}

/** What belongs to a furnished place besides its furniture: people, teams, roles, a session, an order. */
export async function belongingsOf(
  db: PrismaClient,
  place: FurnishedOrganization,
  adminId: string,
): Promise<Belongings> {
  const { organizationId, workspaceId, known } = place;
  const [userId, teamId, organizationRole, workspaceRole] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  const [profileId, sessionId, custId] = [randomUUID(), randomUUID(), randomUUID()];
  const number = randomInt(1_000_000, 2_000_000_000);
  const name = `Belongings ${number}`;
  const person = { id: userId, email: `${userId}@place.test`, username: userId };
  const furniture = String(known['ticketGroupId']);
  const order = orderOf({ number, custId, place });

  const rows = [
    ['auth.users', `id = '${userId}'`],
    ['tenancy.users', `id = '${userId}'`],
    ['tenancy.organization_members', `organization_id = '${organizationId}' AND user_id = '${userId}'`],
    ['tenancy.workspace_members', `workspace_id = '${workspaceId}' AND user_id = '${userId}'`],
    ['tenancy.teams', `id = '${teamId}'`],
    ['tenancy.team_members', `team_id = '${teamId}' AND user_id = '${userId}'`],
    ['tenancy.team_workspace_roles', `team_id = '${teamId}' AND workspace_id = '${workspaceId}'`],
    ['tenancy.roles', `id = '${organizationRole}'`],
    ['tenancy.roles', `id = '${workspaceRole}'`],
    ['tenancy.email_profiles', `id = '${profileId}'`],
    ['auth.refresh_sessions', `id = '${sessionId}'`],
    ['ticketing.customer', `cust_id = '${custId}'`],
    ['ticketing.order_ticket_group', `order_no = '${order.orderNo}'`],
  ] as const;

  async function restore() {
    await place.restore();
    const kept = BigInt(furniture);
    await db.railMenu.deleteMany({ where: { workspaceId, railMenuId: { not: kept } } });
    await db.ticketVariant.deleteMany({ where: { ticketGroupId: kept, ticketVariantId: { not: kept } } });
    if (await areThere(db, rows)) return;
    const keep = { skipDuplicates: true };
    await db.authUser.createMany({ data: { ...person, idpUserId: userId, orgId: organizationId }, ...keep });
    await db.user.createMany({ data: { ...person, organizationId }, ...keep });
    const member = { organizationId, userId, role: 'ORG_MEMBER', roleId: 'ORG_MEMBER' };
    await db.organizationMember.createMany({ data: member, ...keep });
    await db.workspaceMember.createMany({ data: { workspaceId, userId, role: 'VIEWER' }, ...keep });
    await db.team.createMany({ data: { id: teamId, organizationId, name }, ...keep });
    await db.teamMember.createMany({ data: { teamId, userId }, ...keep });
    await db.teamWorkspaceRole.createMany({ data: { teamId, workspaceId, roleId: 'VIEWER' }, ...keep });
    const roles = [
      { id: organizationRole, organizationId, scope: 'organization' as const, name },
      { id: workspaceRole, organizationId, scope: 'workspace' as const, name },
    ];
    await db.role.createMany({ data: roles, ...keep });
    const from = { fromName: 'Place', fromAddress: 'place@foyer.test' };
    await db.emailProfile.createMany({ data: { id: profileId, organizationId, name, ...from }, ...keep });
    const session = { id: sessionId, userId: adminId, tokenHash: Buffer.from(sessionId), device: '', address: '' };
    await db.refreshSession.createMany({ data: { ...session, expiresAt: new Date('2040-01-01') }, ...keep });
    const buyer = { custId, email: person.email, fullName: 'Place', hasLogin: true, idpUserId: custId };
    await db.customer.createMany({ data: buyer, ...keep });
    await db.orderTicketGroup.createMany({ data: order, ...keep });
  }
  await restore();
  return {
    restore,
    ids: {
      organization: organizationId,
      workspace: workspaceId,
      user: userId,
      team: teamId,
      'organization role': organizationRole,
      'workspace role': workspaceRole,
      'e-mail profile': profileId,
      session: sessionId,
      media: furniture,
      channel: furniture,
      campaign: String(known['updateCampaign.id']),
      'target group': String(known['targetGroupId']),
      'advertising ticket': furniture,
      'rail menu': furniture,
      'ticket group': furniture,
      'offered group': furniture,
      'ticket variant': furniture,
      item: `place-${furniture}`,
      notification: furniture,
      order: order.orderNo,
      bill: order.billId,
      product: order.productId,
      transaction: order.transactionId,
      customer: custId,
    },
  };
}

function orderOf({ number, custId, place }: { number: number; custId: string; place: FurnishedOrganization }) {
  const { organizationId, workspaceId, known } = place;
  return {
    organizationId,
    workspaceId,
    custId,
    ticketGroupId: BigInt(String(known['ticketGroupId'])),
    langChosen: 'en',
    transactionId: randomUUID(),
    orderNo: `ORD-20300101-${randomBytes(10).toString('hex').toUpperCase()}`,
    billId: `BILL-${number}`,
    productId: `TG${number}`,
    totalAmountSen: 100n,
    quantity: 1,
    buyerName: 'Place',
    buyerEmail: 'place@foyer.test',
    admitDate: new Date('2030-01-01'),
    holdExpiresAt: new Date('2040-01-01'),
  };
}
