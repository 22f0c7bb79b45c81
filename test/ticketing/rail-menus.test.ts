import { beforeAll, describe, expect, it } from 'vitest';

import { createOrganization, type OrganizationFixture } from '../support/fixtures/organization.ts';
import { send, type logIn, logInCustomer } from '../support/fixtures/people.ts';
import { ask, day, nobody, onSale, refusalOf } from '../support/fixtures/storefront.ts';
import { sharedServer, type SharedServer } from '../support/servers/shared-server.ts';

let server: SharedServer;
let organization: OrganizationFixture;
let admin: Awaited<ReturnType<typeof logIn>>;

beforeAll(async () => {
  server = await sharedServer();
  organization = await createOrganization(server);
  admin = organization.admin;
});

const rail = (code: string, differently: object = {}) => ({
  code,
  nameBm: 'Pilihan',
  nameEn: 'Picks',
  nameCn: '精选',
  ...differently,
});
const CREATE = `mutation ($workspaceId: ID!, $input: RailMenuInput!) {
  createRailMenu(workspaceId: $workspaceId, input: $input) { railMenuId code placement isActive } }`;
const UPDATE = `mutation ($id: ID!, $input: RailMenuInput!) { updateRailMenu(railMenuId: $id, input: $input) { isActive } }`;
const DELETE = `mutation ($id: ID!) { deleteRailMenu(railMenuId: $id) }`;
const SORT = `mutation ($workspaceId: ID!, $ids: [ID!]!) {
  sortRailMenus(workspaceId: $workspaceId, railMenuIds: $ids) { railMenuId placement } }`;
const PLACE = `mutation ($railMenuId: ID!, $ticketGroupId: ID!, $placement: Int) {
  placeTicketGroupInRailMenu(railMenuId: $railMenuId, ticketGroupId: $ticketGroupId, placement: $placement) { railMenuId } }`;
const REMOVE = `mutation ($railMenuId: ID!, $ticketGroupId: ID!) {
  removeTicketGroupFromRailMenu(railMenuId: $railMenuId, ticketGroupId: $ticketGroupId) { railMenuId } }`;
const ADVERTISE = `mutation ($workspaceId: ID, $input: AdvertisingTicketInput!) {
  createAdvertisingTicket(workspaceId: $workspaceId, input: $input) { advertisingTicketId } }`;
const ASSIGN = `mutation ($railMenuId: ID!, $advertisingTicketId: ID!) {
  assignToRailMenu(railMenuId: $railMenuId, advertisingTicketId: $advertisingTicketId) { advertisingTicketId } }`;
const RAILS = `query ($organizationId: ID) { railMenus(organizationId: $organizationId) { railMenuId code items {
  __typename ... on TicketGroup { ticketGroupId } ... on AdvertisingTicket { advertisingTicketId image { id } } } } }`;

const newRail = async (code: string): Promise<string> =>
  (await ask(server, admin, CREATE, { workspaceId: organization.workspaceId, input: rail(code) })).railMenuId;
const cardsOf = async (railMenuId: string) => {
  const rails = await ask(server, nobody, RAILS, { organizationId: organization.id });
  const found = rails.find((one: { railMenuId: string }) => one.railMenuId === railMenuId);
  return found?.items.map(
    (card: Record<string, string>) => card['ticketGroupId'] ?? `ad ${card['advertisingTicketId']}`,
  );
};
const advertise = async (input: object): Promise<string> =>
  (
    await ask(server, admin, ADVERTISE, {
      workspaceId: organization.workspaceId,
      input: { advertisementType: 'coupon', ...input },
    })
  ).advertisingTicketId;

describe('a rail menu', () => {
  it('merges ticket groups and advertising tickets by placement; at the same placement, ticket groups come first', async () => {
    const railMenuId = await newRail('merged');
    const [first, second] = [await onSale(server, admin, organization), await onSale(server, admin, organization)];
    await ask(server, admin, PLACE, { railMenuId, ticketGroupId: second.ticketGroupId, placement: 30 });
    await ask(server, admin, PLACE, { railMenuId, ticketGroupId: first.ticketGroupId, placement: 10 });
    const [between, beside] = [await advertise({ placement: 20 }), await advertise({ placement: 30 })];
    for (const advertisingTicketId of [beside, between])
      await ask(server, admin, ASSIGN, { railMenuId, advertisingTicketId });

    expect(await cardsOf(railMenuId)).toEqual([
      first.ticketGroupId,
      `ad ${between}`,
      second.ticketGroupId,
      `ad ${beside}`,
    ]);
  });

  it('shows advertising tickets on their active dates only', async () => {
    const railMenuId = await newRail('dated');
    const today = await advertise({ activeStartDate: day(0), activeEndDate: day(0) });
    const others = [
      await advertise({ activeStartDate: day(1) }),
      await advertise({ activeEndDate: day(-1) }),
      await advertise({ isActive: false }),
    ];
    for (const advertisingTicketId of [today, ...others])
      await ask(server, admin, ASSIGN, { railMenuId, advertisingTicketId });

    expect(await cardsOf(railMenuId)).toEqual([`ad ${today}`]);
  });

  it('contains a ticket group once, however often it is placed; placing it again moves it', async () => {
    const railMenuId = await newRail('idempotent');
    const [one, two] = [await onSale(server, admin, organization), await onSale(server, admin, organization)];
    await ask(server, admin, PLACE, { railMenuId, ticketGroupId: two.ticketGroupId, placement: 20 });
    await Promise.all(
      Array.from({ length: 8 }, () =>
        ask(server, admin, PLACE, { railMenuId, ticketGroupId: one.ticketGroupId, placement: 10 }),
      ),
    );
    expect(await cardsOf(railMenuId)).toEqual([one.ticketGroupId, two.ticketGroupId]);

    await ask(server, admin, PLACE, { railMenuId, ticketGroupId: one.ticketGroupId, placement: 30 });
    expect(await cardsOf(railMenuId)).toEqual([two.ticketGroupId, one.ticketGroupId]);
    await ask(server, admin, REMOVE, { railMenuId, ticketGroupId: one.ticketGroupId });
    expect(await refusalOf(server, admin, REMOVE, { railMenuId, ticketGroupId: one.ticketGroupId })).toBe(
      'ASSIGNMENT_NOT_FOUND',
    );
  });

  it('has the placement that staff set, is hidden when it is not active, and is gone when it is deleted', async () => {
    const workspaceId = organization.workspaceId;
    const ids = [await newRail('a'), await newRail('b')];
    const all = await ask(server, admin, `query ($id: ID!) { managedRailMenus(workspaceId: $id) { railMenuId } }`, {
      id: workspaceId,
    });
    const others = all.map((one: { railMenuId: string }) => one.railMenuId).filter((id: string) => !ids.includes(id));
    const wanted = [ids[1], ...others, ids[0]];
    await ask(server, admin, SORT, { workspaceId, ids: wanted });
    const order = async () =>
      (await ask(server, nobody, RAILS, { organizationId: organization.id })).map(
        (one: { railMenuId: string }) => one.railMenuId,
      );
    expect(await order()).toEqual(wanted);
    expect(await refusalOf(server, admin, SORT, { workspaceId, ids })).toBe('VALIDATION_FAILED');

    await ask(server, admin, UPDATE, { id: ids[0], input: rail('a', { isActive: false }) });
    await ask(server, admin, DELETE, { id: ids[1] });
    expect(await order()).toEqual(others);
    expect(await refusalOf(server, admin, DELETE, { id: ids[1] })).toBe('RAIL_MENU_NOT_FOUND');
  });

  it('needs names in three languages and a code of its own', async () => {
    const workspaceId = organization.workspaceId;
    await newRail('taken');
    expect(await refusalOf(server, admin, CREATE, { workspaceId, input: rail('taken') })).toBe('RAIL_CODE_TAKEN');
    for (const wrong of [{ nameCn: '' }, { code: 'No Code' }])
      expect(await refusalOf(server, admin, CREATE, { workspaceId, input: rail('new', wrong) })).toBe(
        'VALIDATION_FAILED',
      );
  });

  it('needs catalogue:manage there, and refuses ticket groups of another organization', async () => {
    const railMenuId = await newRail('ours');
    const other = await createOrganization(server);
    const theirs = await onSale(server, other.admin, other);
    const customer = await logInCustomer(server);
    const input = rail('x');

    expect(await refusalOf(server, admin, PLACE, { railMenuId, ticketGroupId: theirs.ticketGroupId })).toBe(
      'TICKET_GROUP_NOT_FOUND',
    );
    expect(await refusalOf(server, other.admin, PLACE, { railMenuId, ticketGroupId: theirs.ticketGroupId })).toBe(
      'RAIL_MENU_NOT_FOUND',
    );
    expect(await refusalOf(server, other.admin, UPDATE, { id: railMenuId, input })).toBe('RAIL_MENU_NOT_FOUND');
    expect(await refusalOf(server, customer, DELETE, { id: railMenuId })).toBe('FORBIDDEN');
    expect(await refusalOf(server, nobody, CREATE, { workspaceId: organization.workspaceId, input })).toBe(
      'UNAUTHENTICATED',
    );
    expect(await cardsOf(railMenuId)).toEqual([]);
  });
});

describe('a target group', () => {
  const NEW = `mutation ($id: ID!, $input: TargetGroupInput!) { createTargetGroup(organizationId: $id, input: $input) { id } }`;
  const GONE = `mutation ($id: ID!) { deleteTargetGroup(id: $id) }`;

  it('is created, renamed and deleted; not while a campaign addresses it', async () => {
    const { id } = await ask(server, admin, NEW, { id: organization.id, input: { name: 'Families' } });
    expect(await refusalOf(server, admin, NEW, { id: organization.id, input: { name: 'Families' } })).toBe(
      'TARGET_GROUP_EXISTS',
    );
    const rename = `mutation ($id: ID!, $input: TargetGroupInput!) { updateTargetGroup(id: $id, input: $input) { name } }`;
    expect(await ask(server, admin, rename, { id, input: { name: 'Large families' } })).toEqual({
      name: 'Large families',
    });

    const headers = { ...admin.headers, 'x-organization-id': organization.id };
    const campaign = {
      name: 'Holidays',
      targetGroupId: id,
      status: 'draft',
      startDate: '2030-01-01T00:00:00Z',
      endDate: '2030-02-01T00:00:00Z',
    };
    const made = await send(server, 'POST', '/api/v1/campaigns', { headers, body: campaign });
    expect(made.status).toBe(201);
    expect(await refusalOf(server, admin, GONE, { id })).toBe('TARGET_GROUP_IN_USE');
    await send(server, 'DELETE', `/api/v1/campaigns/${made.json.id}`, { headers });
    expect(await ask(server, admin, GONE, { id })).toBe(id);
  });

  it('belongs to one organization, and needs the permission for all its workspaces', async () => {
    const { id } = await ask(server, admin, NEW, { id: organization.id, input: { name: 'Ours' } });
    const other = await createOrganization(server);
    const clerk = await organization.join('targetless');

    expect(await refusalOf(server, other.admin, GONE, { id })).toBe('TARGET_GROUP_NOT_FOUND');
    expect(await refusalOf(server, other.admin, NEW, { id: organization.id, input: { name: 'Theirs' } })).toBe(
      'FORBIDDEN',
    );
    expect(await refusalOf(server, clerk, GONE, { id })).toBe('TARGET_GROUP_NOT_FOUND');
    const list = `query ($id: ID!) { targetGroups(organizationId: $id) { name } }`;
    expect(await ask(server, admin, list, { id: organization.id })).toContainEqual({ name: 'Ours' });
    expect(await refusalOf(server, clerk, list, { id: organization.id })).toBe('FORBIDDEN');
  });
});
