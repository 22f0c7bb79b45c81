import { openDatabase, type PrismaClient } from '@foyer/prisma/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createOrganization, type OrganizationFixture } from '../../support/fixtures/organization.ts';
import { graphql } from '../../support/fixtures/people.ts';
import { furnish } from '../../support/fixtures/furnished-organization.ts';
import { sharedServer, type SharedServer } from '../../support/servers/shared-server.ts';
import { acmeAdmin, aGuest, onSale, order, orderInput } from '../../support/fixtures/storefront.ts';

const acme = '0a0c0000-0000-4000-8000-000000000001';

let db: PrismaClient;
let server: SharedServer;
let fixture: OrganizationFixture;
let acmeWorkspace: string;

beforeAll(async () => {
  server = await sharedServer();
  db = openDatabase(server.databaseUrl);
  fixture = await createOrganization(server);
  const admin = await acmeAdmin(server);
  await order(server, orderInput(await onSale(server, admin), await aGuest(server)));
  acmeWorkspace = (await db.workspace.findFirstOrThrow({ where: { organizationId: acme } })).id;
  await furnish(db, acme, acmeWorkspace);
});

afterAll(() => db.$disconnect());

/** A person of an empty organization, with one role on the platform. */
async function someone(roleId: string) {
  const person = await fixture.join(roleId.toLowerCase().replaceAll('_', '-'));
  await db.platformMember.create({ data: { userId: person.id, roleId } });
  return person.headers;
}

/** All lists of tenants' data, in ticketing and in media. */
const listed: Record<string, string> = {
  orders: '{ orders { totalCount } }',
  exportOrders: 'mutation { exportOrders { rows } }',
  notifications: '{ notifications { edges { node { notificationId } } } }',
  unreadNotificationCount: '{ unreadNotificationCount }',
  managedAdvertisingTickets: '{ managedAdvertisingTickets(all: true) { advertisingTicketId } }',
  managedAdvertisingTicketConnection: '{ managedAdvertisingTicketConnection { edges { cursor } } }',
  campaigns: `{ campaigns(organizationId: "${acme}") { edges { node { id } } } }`,
  targetGroups: `{ targetGroups(organizationId: "${acme}") { id } }`,
  managedTicketGroups: '{ managedTicketGroups(workspaceId: "WORKSPACE") { edges { node { ticketGroupId } } } }',
  managedRailMenus: '{ managedRailMenus(workspaceId: "WORKSPACE") { railMenuId } }',
  mediaList: '{ mediaList(filter: { workspaceId: "WORKSPACE" }) { totalCount } }',
  mediaFolders: '{ mediaFolders(workspaceId: "WORKSPACE") { count } }',
  mediaTenants: '{ mediaTenants(workspaceId: "WORKSPACE") }',
  channels: '{ channels(workspaceId: "WORKSPACE") { totalCount } }',
  streamers: '{ streamers { totalCount } }',
  caches: '{ cacheNodes { totalCount } }',
  loadBalancers: '{ loadBalancerNodes { totalCount } }',
  ofOrganization: `{ organization(id: "${acme}") {
    orders { totalCount } campaigns { edges { node { id } } } media { totalCount } channels { totalCount }
  } }`,
  ofWorkspace: `{ workspace(id: "WORKSPACE") {
    notifications { edges { node { notificationId } } } campaigns { edges { node { id } } }
    media { totalCount } channels { totalCount }
  } }`,
};

/** The lists that show anything: neither refused nor empty. */
async function shownTo(headers: Record<string, string>): Promise<string[]> {
  const shown: string[] = [];
  for (const [name, document] of Object.entries(listed)) {
    await db.notification.deleteMany({ where: { organizationId: fixture.id } }); // of their own organization
    const { data, errors } = await graphql(server, document.replace('WORKSPACE', acmeWorkspace), {}, headers);
    expect([name, errors?.[0]?.extensions.code ?? 'done']).toEqual([name, expect.stringMatching(/^(done|FORBIDDEN)$/)]);
    const said = JSON.stringify(data ?? null).replaceAll(
      /"totalCount":0\b|"rows":0\b|"unreadNotificationCount":"0"/g,
      '',
    );
    if (/\d|\w":\["/.test(said)) shown.push(name);
  }
  return shown;
}

describe('a role on the platform with access to the console only', () => {
  it.each(['PLATFORM_OPERATOR', 'PLATFORM_SUPPORT', 'PLATFORM_READONLY'])(
    '%s shows no data of tenants in ticketing and media',
    async (roleId) => {
      const headers = await someone(roleId);
      const { data } = await graphql(server, '{ organizations { totalCount } }', {}, headers);
      expect(data.organizations.totalCount).toBeGreaterThan(1); // the console
      expect(await shownTo(headers)).toEqual([]);
    },
  );

  it('does not manage organizations', async () => {
    const orders = ['orders', 'exportOrders', 'notifications', 'unreadNotificationCount', 'managedAdvertisingTickets'];
    for (const roleId of ['PLATFORM_OWNER', 'PLATFORM_ADMIN'])
      expect(await shownTo(await someone(roleId))).toEqual(expect.arrayContaining(orders));
  });
});
