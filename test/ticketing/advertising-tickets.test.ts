import { beforeAll, describe, expect, it } from 'vitest';

import { createOrganization, type OrganizationFixture } from '../support/fixtures/organization.ts';
import { send, logInCustomer } from '../support/fixtures/people.ts';
import { ACME_WORKSPACE, acmeAdmin, ask, day } from '../support/fixtures/storefront.ts';
import { sharedServer, type SharedServer } from '../support/servers/shared-server.ts';

let server: SharedServer;
let organization: OrganizationFixture;
let headers: Record<string, string>;

beforeAll(async () => {
  server = await sharedServer();
  organization = await createOrganization(server);
  headers = { ...organization.admin.headers, 'x-organization-id': organization.id };
});

const tickets = (method: string, body?: object, path = '') =>
  send(server, method, `/api/advertisingTickets${path}`, { headers, ...(body && { body }) });
const card = {
  advertisementType: 'coupon',
  advertiser: 'Kopi',
  color: '#1F1D36',
  placement: 5,
  titleBm: 'B',
  titleEn: 'E',
  titleCn: '中',
  headerBm: 'b',
  headerEn: 'e',
  headerCn: '文',
  descBm: 'x',
  descEn: 'y',
  descCn: 'z',
  actionButton: 'Go',
  redirectUrl: 'https://kopi.test/',
  imageUrl: 'https://kopi.test/a.png',
  activeStartDate: day(0),
  activeEndDate: day(1),
  isActive: true,
};

describe('advertising tickets', () => {
  it.each(['brandImage', 'coupon', 'editorial', 'typographic'])(
    'of type %s keep all documented fields',
    async (type) => {
      const { status, json } = await tickets('POST', { ...card, advertisementType: type });
      expect(status).toBe(201);
      expect(json).toMatchObject({ ...card, advertisementType: type, advertisingTicketId: expect.any(Number) });

      const { advertisingTicketId } = json;
      const changed = await tickets('PUT', { ...card, advertisementType: type, advertisingTicketId, titleEn: 'New' });
      expect([changed.status, changed.json.titleEn]).toEqual([200, 'New']);
      expect((await tickets('DELETE', { advertisingTicketId })).status).toBe(200);
      expect((await tickets('DELETE', { advertisingTicketId })).status).toBe(404);
    },
  );

  it('keep color, placement and whether they are shown when a change does not name them', async () => {
    const settings = { color: '#ABCDEF', placement: 9, isActive: false };
    const { advertisingTicketId } = (await tickets('POST', { ...card, ...settings })).json;
    const { color: _color, placement: _placement, isActive: _isActive, descEn: _descEn, ...unnamed } = card;
    const { status, json } = await tickets('PUT', { ...unnamed, advertisingTicketId, titleEn: 'Changed' });
    expect([status, json]).toEqual([
      200,
      expect.objectContaining({ ...settings, advertisingTicketId, titleEn: 'Changed', descEn: '' }),
    ]);
  });

  it('keep their picture in the library when a change names none, and lose it to another address or when it is removed', async () => {
    const admin = await acmeAdmin(server);
    const library = `query ($workspaceId: ID!) {
      mediaList(filter: { workspaceId: $workspaceId, status: ready }, first: 1) { edges { node { id } } } }`;
    const [image] = (await ask(server, admin, library, { workspaceId: ACME_WORKSPACE })).edges;
    const create = `mutation ($input: AdvertisingTicketInput!, $workspaceId: ID) {
      createAdvertisingTicket(input: $input, workspaceId: $workspaceId) { advertisingTicketId image { id } } }`;
    const change = `mutation ($id: ID!, $input: AdvertisingTicketInput!) {
      updateAdvertisingTicket(advertisingTicketId: $id, input: $input) { image { id } } }`;
    const all = `{ managedAdvertisingTickets(all: true) { advertisingTicketId image { id } } }`;
    const input = { ...card, imageUrl: '', imageMediaId: image.node.id };
    const made = await ask(server, admin, create, { input, workspaceId: ACME_WORKSPACE });
    const id = made.advertisingTicketId as string;
    const pictureNow = async () =>
      (await ask(server, admin, all)).find((one: { advertisingTicketId: string }) => one.advertisingTicketId === id)
        .image;
    const rest = async (method: string, body?: object) =>
      (await send(server, method, '/api/advertisingTickets', { headers: admin.headers, ...(body && { body }) })).json;

    const listed = await rest('GET');
    const shown = listed.find((one: { advertisingTicketId: number }) => one.advertisingTicketId === Number(id));
    expect(await rest('PUT', { ...shown, titleEn: 'Changed' })).toEqual({ ...shown, titleEn: 'Changed' });
    expect(await pictureNow()).toEqual(image.node);
    await rest('PUT', { ...shown, imageUrl: card.imageUrl });
    expect(await pictureNow()).toBeNull();
    expect(await ask(server, admin, change, { id, input })).toEqual({ image: image.node });
    expect(await ask(server, admin, change, { id, input: { ...input, imageMediaId: null } })).toEqual({ image: null });
    await rest('DELETE', { advertisingTicketId: Number(id) });
  });

  it('have empty texts for days that were not sent', async () => {
    const { activeStartDate: _start, activeEndDate: _end, ...always } = card;
    const made = await tickets('POST', always);
    expect([made.status, made.json]).toEqual([
      201,
      expect.objectContaining({ activeStartDate: '', activeEndDate: '' }),
    ]);
    const sentBack = await tickets('PUT', made.json);
    expect([sentBack.status, sentBack.json]).toEqual([200, made.json]);
    expect((await tickets('GET')).json).toContainEqual(made.json);
    await tickets('DELETE', { advertisingTicketId: made.json.advertisingTicketId });
  });

  it('are refused only for an invalid day', async () => {
    for (const field of ['activeStartDate', 'activeEndDate']) {
      const { status, json } = await tickets('POST', { ...card, [field]: '01-12-2026' });
      expect([status, json.errors]).toEqual([400, [{ path: field, message: expect.any(String) }]]);
    }
  });

  it('are listed while they are active, with their rail menus', async () => {
    const made = await Promise.all([
      tickets('POST', { ...card, titleEn: 'Now' }),
      tickets('POST', { ...card, titleEn: 'Later', activeStartDate: day(1) }),
      tickets('POST', { ...card, titleEn: 'Off', isActive: false }),
    ]);
    const [shown] = made.map(({ json }) => json.advertisingTicketId as number);
    const { json } = await tickets('GET');
    const listed = json as { advertisingTicketId: number; railMenus: unknown[] }[];
    expect(listed).toEqual([expect.objectContaining({ advertisingTicketId: shown, railMenus: [] })]);
  });

  it('are in a rail menu once, however often they are assigned; many rails may show one', async () => {
    const create = `mutation ($id: ID!, $code: String!) { createRailMenu(workspaceId: $id,
      input: { code: $code, nameBm: "B", nameEn: "E", nameCn: "C" }) { railMenuId } }`;
    const rail = async (code: string) =>
      Number((await ask(server, organization.admin, create, { id: organization.workspaceId, code })).railMenuId);
    const [one, two] = [await rail('one'), await rail('two')];
    const { advertisingTicketId } = (await tickets('POST', card)).json;
    const assign = (railMenuId: number, method = 'POST') =>
      tickets(method, { railMenuId, advertisingTicketId }, '/railMenus');

    for (const railMenuId of [one, one, two]) {
      const { status, json } = await assign(railMenuId);
      expect([status, json.success]).toEqual([200, true]);
    }
    expect((await assign(one)).json.data.railMenus.map((menu: { railMenuId: number }) => menu.railMenuId)).toEqual([
      one,
      two,
    ]);
    expect((await assign(one, 'DELETE')).status).toBe(200);
    expect((await assign(one, 'DELETE')).json.code).toBe('ASSIGNMENT_NOT_FOUND');
    expect((await assign(999_999)).json.code).toBe('RAIL_MENU_NOT_FOUND');
  });

  it('are for staff only, not for strangers or customers', async () => {
    const customer = await logInCustomer(server);
    const get = (more: Record<string, string>) => send(server, 'GET', '/api/advertisingTickets', { headers: more });
    expect([(await get({})).status, (await get(customer.headers)).status]).toEqual([401, 403]);
  });
});
