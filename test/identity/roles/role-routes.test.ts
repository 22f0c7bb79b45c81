import { beforeAll, describe, expect, it } from 'vitest';

import { legacyToken } from '../../support/fixtures/legacy-tokens.ts';
import { createOrganization, type OrganizationFixture } from '../../support/fixtures/organization.ts';
import { send, logIn, logInCustomer } from '../../support/fixtures/people.ts';
import { sharedServer, type SharedServer } from '../../support/servers/shared-server.ts';

/** Spec 2, "Authentication": the routes that require the role ADMIN, SYSADMIN or MEMBER, and their answers when nothing is found. */
const routes = [
  ['POST', '/api/advertisingTickets', { advertisementType: 'typographic', titleEn: 'By role' }, 201],
  ['PUT', '/api/advertisingTickets', { advertisementType: 'typographic', advertisingTicketId: 99_999 }, 404],
  ['DELETE', '/api/advertisingTickets', { advertisingTicketId: 99_999 }, 404],
  ['POST', '/api/advertisingTickets/railMenus', { railMenuId: 99_999, advertisingTicketId: 99_999 }, 404],
  ['DELETE', '/api/advertisingTickets/railMenus', { railMenuId: 99_999, advertisingTicketId: 99_999 }, 404],
  ['GET', '/api/orderTicketGroups/management', undefined, 200],
  ['GET', '/api/notifications', undefined, 200],
  ['PUT', '/api/notification', { notificationId: 99_999, isRead: true }, 404],
] as const;

const strangerKey = new TextEncoder().encode('another secret of 32 characters!');

describe('the role-based routes of ticketing', () => {
  let server: SharedServer;
  let organization: OrganizationFixture;
  const headersOf = new Map<string, Record<string, string>>();

  beforeAll(async () => {
    server = await sharedServer();
    organization = await createOrganization(server);
    const bearing = async (...given: [Record<string, unknown>, Parameters<typeof legacyToken>[2]?]) => ({
      authorization: `Bearer ${await legacyToken(server, ...given)}`,
    });
    headersOf.set('a platform owner (SYSADMIN)', (await logIn(server, 'admin@foyer.test', 'PLATFORM')).headers);
    headersOf.set('an administrator (ADMIN)', organization.admin.headers);
    headersOf.set('a member without a workspace (MEMBER)', (await organization.join('new-member')).headers);
    headersOf.set('a viewer (MEMBER)', (await logIn(server, 'viewer@acme.test', 'ACME')).headers);
    for (const role of ['SYSADMIN', 'ADMIN', 'MEMBER']) headersOf.set(`a legacy ${role}`, await bearing({ role }));
    headersOf.set('a customer', (await logInCustomer(server)).headers);
    headersOf.set('nobody', {});
    headersOf.set('an expired token', await bearing({ role: 'ADMIN' }, { expires: '-1s' }));
    headersOf.set('a token of another key', await bearing({ role: 'ADMIN' }, { key: strangerKey }));
    headersOf.set('a token of another algorithm', await bearing({ role: 'ADMIN' }, { alg: 'HS512' }));
    headersOf.set('a token of another role', await bearing({ role: 'OWNER' }));
  });

  const ask = (who: string, [method, path, body]: (typeof routes)[number]) =>
    send(server, method, path, { headers: headersOf.get(who) ?? {}, body });

  it.each([
    'a platform owner (SYSADMIN)',
    'an administrator (ADMIN)',
    'a member without a workspace (MEMBER)',
    'a viewer (MEMBER)',
    'a legacy SYSADMIN',
    'a legacy ADMIN',
    'a legacy MEMBER',
  ])('take %s', async (who) => {
    for (const route of routes)
      expect([...route.slice(0, 2), (await ask(who, route)).status]).toEqual([...route.slice(0, 2), route[3]]);
  });

  it.each([
    ['a customer', 403],
    ['nobody', 401],
    ['an expired token', 401],
    ['a token of another key', 401],
    ['a token of another algorithm', 401],
    ['a token of another role', 401],
  ])('are nothing for %s', async (who, status) => {
    for (const route of routes)
      expect([...route.slice(0, 2), (await ask(who, route)).status]).toEqual([...route.slice(0, 2), status]);
  });

  it('let a member change records of their organization, and nobody those of another', async () => {
    const made = await ask('a member without a workspace (MEMBER)', routes[0]);
    const { advertisingTicketId } = made.json as { advertisingTicketId: number };
    const remove = (who: string) =>
      send(server, 'DELETE', '/api/advertisingTickets', {
        headers: headersOf.get(who) ?? {},
        body: { advertisingTicketId },
      });
    expect((await remove('a viewer (MEMBER)')).status).toBe(404);
    expect((await remove('a member without a workspace (MEMBER)')).status).toBe(200);
    expect((await remove('a platform owner (SYSADMIN)')).status).toBe(404);
  });
});
