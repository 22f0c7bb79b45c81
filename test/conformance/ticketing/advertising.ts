import { randomUUID } from 'node:crypto';

import { expect } from 'vitest';

import { ask, day } from '../../support/fixtures/storefront.ts';
import { fieldsOf, perServer } from '../framework/per-server.ts';
import { holds, type Rows } from '../framework/row.ts';
import type { Headers, Server } from '../framework/server.ts';
import { isCount } from '../framework/shapes.ts';

const path = '/api/advertisingTickets';

/** All fields of an advertising ticket except its id. */
const card = (differently: object = {}) => ({
  advertisementType: 'coupon',
  advertiser: 'Kopi',
  color: '#1F1D36',
  placement: 5,
  titleBm: 'Kopi percuma',
  titleEn: 'Free coffee',
  titleCn: '免费咖啡',
  headerBm: 'Untuk anda',
  headerEn: 'For you',
  headerCn: '给您',
  descBm: 'Hari ini',
  descEn: 'Today',
  descCn: '今天',
  actionButton: 'Go',
  redirectUrl: 'https://kopi.test/',
  imageUrl: 'https://kopi.test/a.png',
  activeStartDate: day(0),
  activeEndDate: day(1),
  isActive: true,
  ...differently,
});

const staff = async (server: Server) => (await server.organization()).admin.headers;

/** Sends something to the routes of advertising tickets, as staff. */
export const tickets = async (server: Server, method: string, body?: object, suffix = '', headers?: Headers) =>
  server.send(method, `${path}${suffix}`, { headers: headers ?? (await staff(server)), ...(body && { body }) });

/** A new advertising ticket's id. */
export async function newTicket(server: Server, differently?: object): Promise<number> {
  return (await tickets(server, 'POST', card(differently))).json.advertisingTicketId as number;
}

/** A new rail menu's id. */
export async function newRailMenu(server: Server): Promise<number> {
  const { admin, workspaceId } = await server.organization();
  const create = `mutation ($id: ID!, $code: String!) { createRailMenu(workspaceId: $id,
    input: { code: $code, nameBm: "B", nameEn: "E", nameCn: "C" }) { railMenuId } }`;
  const { railMenuId } = await ask(server, admin, create, { id: workspaceId, code: `rail-${randomUUID()}` });
  return Number(railMenuId);
}

/** What the list shows, by the id of each ticket. */
async function shown(server: Server, headers?: Headers) {
  const { status, json } = await tickets(server, 'GET', undefined, '', headers);
  expect([status, Array.isArray(json)]).toEqual([200, true]);
  type Listed = { advertisingTicketId: number; railMenus: { railMenuId: number }[] };
  return new Map((json as Listed[]).map((ticket) => [ticket.advertisingTicketId, ticket]));
}

const railsOf = async (server: Server, id: number) =>
  (await shown(server)).get(id)?.railMenus.map(({ railMenuId }) => railMenuId);

/** A ticket, as its creation answered and as the list shows it. */
const kept = perServer(async (server) => {
  const { json: created } = await tickets(server, 'POST', card());
  return [created, (await shown(server)).get(created.advertisingTicketId)] as Record<string, unknown>[];
});

const sameAsSent =
  (...names: (keyof ReturnType<typeof card>)[]) =>
  (seen: Record<string, unknown>[]) => {
    for (const ticket of seen) expect(names.map((name) => ticket[name])).toEqual(names.map((name) => card()[name]));
  };

/** "Advertising ticket": its fields, its types, its places in rail menus. */
export const advertisingFields: Rows = {
  ...fieldsOf(kept, {
    'ticketing-advertising-ticket-advertising-ticket-id': (seen) =>
      expect(seen.map(({ advertisingTicketId }) => isCount(advertisingTicketId))).toEqual([true, true]),
    'ticketing-advertising-ticket-advertisement-type': sameAsSent('advertisementType'),
    'ticketing-advertising-ticket-advertiser': sameAsSent('advertiser'),
    'ticketing-advertising-ticket-color': sameAsSent('color'),
    'ticketing-advertising-ticket-placement': sameAsSent('placement'),
    'ticketing-advertising-ticket-title-bm-title-en-title-cn': sameAsSent('titleBm', 'titleEn', 'titleCn'),
    'ticketing-advertising-ticket-header-bm-header-en-header-cn': sameAsSent('headerBm', 'headerEn', 'headerCn'),
    'ticketing-advertising-ticket-desc-bm-desc-en-desc-cn': sameAsSent('descBm', 'descEn', 'descCn'),
    'ticketing-advertising-ticket-action-button': sameAsSent('actionButton'),
    'ticketing-advertising-ticket-redirect-url': sameAsSent('redirectUrl'),
    'ticketing-advertising-ticket-image-url': sameAsSent('imageUrl'),
    'ticketing-advertising-ticket-active-start-date-active-end-date': sameAsSent('activeStartDate', 'activeEndDate'),
    'ticketing-advertising-ticket-is-active': sameAsSent('isActive'),
  }),

  'ticketing-advertising-ticket-types': holds(async (server) => {
    for (const type of [
      { advertisementType: 'brandImage', actionButton: '', headerEn: '' },
      { advertisementType: 'coupon', activeStartDate: day(1), activeEndDate: day(9) },
      { advertisementType: 'editorial' },
      { advertisementType: 'typographic', imageUrl: '' },
    ]) {
      const { status, json } = await tickets(server, 'POST', card(type));
      expect([status, json]).toEqual([201, expect.objectContaining(type)]);
    }
    expect((await tickets(server, 'POST', card({ advertisementType: 'video' }))).status).toBe(400);
  }),

  'ticketing-advertising-ticket-rail-menus': holds(async (server) => {
    const advertisingTicketId = await newTicket(server);
    const rails = [await newRailMenu(server), await newRailMenu(server)];
    for (const railMenuId of rails) {
      expect([isCount(railMenuId), isCount(advertisingTicketId)]).toEqual([true, true]);
      expect((await tickets(server, 'POST', { railMenuId, advertisingTicketId }, '/railMenus')).status).toBe(200);
    }
    expect(await railsOf(server, advertisingTicketId)).toEqual(rails);
  }),
};

/** "Advertising tickets", and who may call. */
export const advertisingRoutes: Rows = {
  'ticketing-advertising-routes-get-advertising-tickets': holds(async (server) => {
    const [now, later, off] = [
      await newTicket(server),
      await newTicket(server, { activeStartDate: day(1) }),
      await newTicket(server, { isActive: false }),
    ];
    const found = await shown(server);
    expect([now, later, off].map((id) => found.has(id))).toEqual([true, false, false]);
    expect(found.get(now)).toEqual(expect.objectContaining({ ...card(), railMenus: [] }));
  }),

  'ticketing-advertising-routes-post-advertising-tickets': holds(async (server) => {
    const { status, json } = await tickets(server, 'POST', card());
    expect([status, json]).toEqual([201, expect.objectContaining(card())]);
    expect(isCount(json.advertisingTicketId)).toBe(true);
    const absent = { headerEn: null, actionButton: null, redirectUrl: null, imageUrl: null, activeEndDate: null };
    expect((await tickets(server, 'POST', card(absent))).status).toBe(201);
  }),

  'ticketing-advertising-routes-put-advertising-tickets': holds(async (server) => {
    const advertisingTicketId = await newTicket(server);
    const changed = card({ advertisementType: 'editorial', titleEn: 'New', placement: 7, advertisingTicketId });
    const { status, json } = await tickets(server, 'PUT', changed);
    expect([status, json]).toEqual([200, expect.objectContaining(changed)]);
    expect((await shown(server)).get(advertisingTicketId)).toEqual(expect.objectContaining(changed));
  }),

  'ticketing-advertising-routes-delete-advertising-tickets': holds(async (server) => {
    const advertisingTicketId = await newTicket(server);
    const { status, json } = await tickets(server, 'DELETE', { advertisingTicketId });
    expect([status, json]).toEqual([200, expect.objectContaining({ success: true, message: expect.any(String) })]);
    expect((await shown(server)).has(advertisingTicketId)).toBe(false);
  }),

  'ticketing-advertising-routes-post-advertising-tickets-rail-menus': holds(async (server) => {
    const assignment = { railMenuId: await newRailMenu(server), advertisingTicketId: await newTicket(server) };
    expect((await tickets(server, 'POST', assignment, '/railMenus')).status).toBe(200);
    expect(await railsOf(server, assignment.advertisingTicketId)).toEqual([assignment.railMenuId]);
  }),

  'ticketing-advertising-routes-delete-advertising-tickets-rail-menus': holds(async (server) => {
    const assignment = { railMenuId: await newRailMenu(server), advertisingTicketId: await newTicket(server) };
    await tickets(server, 'POST', assignment, '/railMenus');
    expect((await tickets(server, 'DELETE', assignment, '/railMenus')).status).toBe(200);
    expect(await railsOf(server, assignment.advertisingTicketId)).toEqual([]);
  }),

  'ticketing-authentication-advertising-ticket-routes': holds(async (server) => {
    const advertisingTicketId = await newTicket(server);
    const assignment = { advertisingTicketId, railMenuId: await newRailMenu(server) };
    const customer = (await server.customer()).headers;
    for (const [method, suffix, body] of [
      ['GET', '', undefined],
      ['POST', '', card()],
      ['PUT', '', card({ advertisingTicketId })],
      ['DELETE', '', { advertisingTicketId }],
      ['POST', '/railMenus', assignment],
      ['DELETE', '/railMenus', assignment],
    ] as const) {
      const statuses = [{}, customer, await server.legacy('CUSTOMER')].map(
        async (headers) => (await tickets(server, method, body, suffix, headers)).status,
      );
      expect([method, suffix, ...(await Promise.all(statuses))]).toEqual([method, suffix, 401, 403, 403]);
    }
    for (const role of ['ADMIN', 'SYSADMIN', 'MEMBER']) {
      const headers = await server.legacy(role);
      const { status, json } = await tickets(server, 'POST', card(), '', headers);
      expect([role, status]).toEqual([role, 201]);
      const listed = await shown(server, headers);
      expect([role, listed.has(json.advertisingTicketId)]).toEqual([role, true]);
    }
  }),
};
