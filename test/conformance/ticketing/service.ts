import { expect } from 'vitest';

import { ask, nobody } from '../../support/fixtures/storefront.ts';
import { holds, type Rows } from '../framework/row.ts';
import { text } from '../framework/shapes.ts';
import { newRailMenu, newTicket, tickets } from './advertising.ts';
import { listeners } from './notifications.ts';
import { orderOf, paidGroup, paidOrder, placed, placeFree } from './shop.ts';

/** "What the service does". */
export const service: Rows = {
  'ticketing-service-1-commerce': holds(async (server) => {
    const { orderNo } = await paidOrder(server);
    expect((await server.send('GET', `/pdf/receipt?orderNo=${orderNo}`)).status).toBe(200);
    expect((await placeFree(server)).status).toBe(200);
    const { custId, headers } = await server.customer();
    await placed(server, { custId, headers });
    const { json } = await server.send('GET', '/api/orderTicketGroups', { headers });
    expect(json.length).toBeGreaterThan(0);

    const body = orderOf(await paidGroup(server), undefined, { buyerEmail: 'guest.of.rest@example.test' });
    const guests = await server.send('POST', '/api/orderTicketGroup', { body });
    expect([guests.status, guests.json.orderNo]).toEqual([200, text]);
  }),

  'ticketing-service-2-advertising': holds(async (server) => {
    const { admin, id } = await server.organization();
    const railMenuId = await newRailMenu(server);
    const advertisingTicketId = await newTicket(server);
    await tickets(server, 'POST', { railMenuId, advertisingTicketId }, '/railMenus');
    const { json } = await server.send('GET', '/api/v1/campaigns', {
      headers: { ...admin.headers, 'x-organization-id': id },
    });
    expect(json).toEqual([]);
    const rails = `query ($id: ID) { railMenus(organizationId: $id) { railMenuId items {
      __typename ... on AdvertisingTicket { advertisingTicketId titleBm titleEn titleCn } } } }`;
    const shown = await ask(server, nobody, rails, { id });
    expect(shown).toContainEqual({
      railMenuId: String(railMenuId),
      items: [
        {
          __typename: 'AdvertisingTicket',
          advertisingTicketId: String(advertisingTicketId),
          titleBm: 'Kopi percuma',
          titleEn: 'Free coffee',
          titleCn: '免费咖啡',
        },
      ],
    });
  }),

  'ticketing-service-3-notifications': holds(async (server) => {
    const { headers, tell, reports } = await listeners(server);
    const { notificationId } = await tell();
    expect(await reports()).toHaveLength(1);
    for (const flag of [{ isRead: true }, { isDeleted: true }]) {
      const body = { notificationId, ...flag };
      expect((await server.send('PUT', '/api/notification', { headers, body })).status).toBe(200);
    }
    expect(await reports()).toEqual([]);
  }),

  'ticketing-service-3-clients-never-create': holds(async (server) => {
    const { headers } = await server.customer();
    for (const path of ['/api/notification', '/api/notifications']) {
      const { status } = await server.send('POST', path, { headers, body: { title: 'x', message: 'y' } });
      expect([path, [404, 405].includes(status)]).toEqual([path, true]);
    }
  }),
};

/** "Versioning". */
export const versioning: Rows = {
  'ticketing-versioning-prefixes': holds(async (server) => {
    const { headers } = await server.acmeAdmin();
    const { orderNo } = await paidOrder(server);
    const statusAt = async (method: string, path: string) => (await server.send(method, path, { headers })).status;
    const versioned = await statusAt('GET', '/api/v1/campaigns');
    expect([versioned, await statusAt('GET', '/api/campaigns')]).toEqual([400, 404]);
    for (const [method, path] of [
      ['GET', '/api/orderTicketGroups'],
      ['GET', '/api/advertisingTickets'],
      ['GET', '/api/notifications'],
      ['POST', '/payment/generateToken'],
      ['GET', `/pdf/receipt?orderNo=${orderNo}`],
    ] as const) {
      expect([path, await statusAt(method, path)]).toEqual([path, 200]);
      const other = path.startsWith('/api/') ? path.replace('/api/', '/api/v1/') : `/api/v1${path}`;
      expect([other, await statusAt(method, other)]).toEqual([other, 404]);
    }
  }),
};
