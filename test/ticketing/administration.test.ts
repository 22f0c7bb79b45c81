import { beforeAll, describe, expect, it } from 'vitest';

import { createOrganization, type OrganizationFixture } from '../support/fixtures/organization.ts';
import { type logIn, logInCustomer } from '../support/fixtures/people.ts';
import {
  ACME_WORKSPACE,
  acmeAdmin,
  aGuest,
  ask,
  day,
  groupInput,
  nobody,
  onSale,
  order,
  orderInput,
  refusalOf,
  variantInput,
} from '../support/fixtures/storefront.ts';
import { sharedServer, type SharedServer } from '../support/servers/shared-server.ts';

let server: SharedServer;
let admin: Awaited<ReturnType<typeof logIn>>;
let organization: OrganizationFixture;

beforeAll(async () => {
  server = await sharedServer();
  admin = await acmeAdmin(server);
  organization = await createOrganization(server);
});

const CREATE = `mutation ($workspaceId: ID!, $input: TicketGroupInput!) {
  createTicketGroup(workspaceId: $workspaceId, input: $input) {
    ticketGroupId groupNameBm groupNameEn groupNameCn orderTicketLimit maxAdvanceDays closedWeekdays salesCutoff
    activeStartDate activeEndDate isActive dailyCapacity image { id } } }`;
const UPDATE = `mutation ($id: ID!, $input: TicketGroupInput!) {
  updateTicketGroup(ticketGroupId: $id, input: $input) { ticketGroupId groupNameEn isActive dailyCapacity } }`;
const DELETE = `mutation ($id: ID!) { deleteTicketGroup(ticketGroupId: $id) }`;
const MANAGED = `query ($workspaceId: ID!) { managedTicketGroups(workspaceId: $workspaceId, first: 100) {
  edges { node { ticketGroupId isActive variants(all: true) { itemId isActive unitPrice sort } } } } }`;
const SHOWN = `query ($id: ID!) { ticketGroup(ticketGroupId: $id) {
  dailyCapacity variants(all: true) { ticketVariantId itemId unitPrice } } }`;
const UPDATE_VARIANT = `mutation ($id: ID!, $input: TicketVariantInput!) {
  updateTicketVariant(ticketVariantId: $id, input: $input) { dailyCapacity } }`;
const SET_DAYS = `mutation ($id: ID!, $from: Date!, $to: Date!, $input: DailyCapacityInput!) {
  setDailyCapacities(ticketGroupId: $id, from: $from, to: $to, input: $input) { date capacity reserved closed overridden } }`;
const DAYS = `query ($id: ID!, $from: Date!, $to: Date!) {
  dailyCapacities(ticketGroupId: $id, from: $from, to: $to) { date capacity reserved closed overridden } }`;

const LIBRARY = `query ($workspaceId: ID!) {
  mediaList(filter: { workspaceId: $workspaceId, status: ready }, first: 1) { edges { node { id } } } }`;

/** A file of Acme's library. */
const anImage = async (): Promise<string> =>
  (await ask(server, admin, LIBRARY, { workspaceId: ACME_WORKSPACE })).edges[0].node.id;

const GONE = ['TICKET_GROUP_NOT_FOUND', 'ITEM_NOT_OFFERED'];

describe('a ticket group', () => {
  it('is created in three languages, with its limits, and shown on the storefront', async () => {
    const imageMediaId = await anImage();
    const input = groupInput({
      closedWeekdays: [7, 1],
      salesCutoff: '17:30',
      activeEndDate: day(60),
      imageMediaId,
    });
    const made = await ask(server, admin, CREATE, { workspaceId: ACME_WORKSPACE, input });

    expect(made).toMatchObject({
      groupNameCn: input.groupNameCn,
      orderTicketLimit: 20,
      maxAdvanceDays: 90,
      closedWeekdays: [1, 7],
      salesCutoff: '17:30',
      activeEndDate: day(60),
      dailyCapacity: 100,
      image: { id: imageMediaId },
    });
    expect(await ask(server, nobody, SHOWN, { id: made.ticketGroupId })).toEqual({ dailyCapacity: null, variants: [] });
  });

  it('accepts an image that its editor may see; an image of others is not found', async () => {
    const imageMediaId = await anImage();
    const ofOffice = { workspaceId: organization.workspaceId, input: groupInput({ imageMediaId }) };
    const ofNobody = { workspaceId: organization.workspaceId, input: groupInput({ imageMediaId: '999999999' }) };
    expect(await refusalOf(server, organization.admin, CREATE, ofOffice)).toBe('MEDIA_NOT_FOUND');
    expect(await refusalOf(server, organization.admin, CREATE, ofNobody)).toBe('MEDIA_NOT_FOUND');

    const input = groupInput();
    const { ticketGroupId: id } = await ask(server, organization.admin, CREATE, {
      workspaceId: organization.workspaceId,
      input,
    });
    const changed = { id, input: { ...input, imageMediaId } };
    expect(await refusalOf(server, organization.admin, UPDATE, changed)).toBe('MEDIA_NOT_FOUND');
  });

  it.each([
    ['a name missing in CN', { groupNameCn: '  ' }],
    ['an endless name', { groupNameBm: 'x'.repeat(201) }],
    ['a limit of 0', { orderTicketLimit: 0 }],
    ['a limit above 255', { orderTicketLimit: 256 }],
    ['a negative capacity', { dailyCapacity: -1 }],
    ['days of admission that run backwards', { activeStartDate: '2030-02-02', activeEndDate: '2030-02-01' }],
    ['an eighth weekday', { closedWeekdays: [8] }],
    ['a time that is none', { salesCutoff: '24:00' }],
    ['a slug with markup', { slug: '<b>' }],
    ['a picture that runs', { imageUrl: 'javascript:alert(1)' }],
  ])('is refused with %s', async (_what, wrong) => {
    const variables = { workspaceId: ACME_WORKSPACE, input: groupInput(wrong) };
    expect(await refusalOf(server, admin, CREATE, variables)).toBe('VALIDATION_FAILED');
  });

  it('has a name for links that is unique in its organization', async () => {
    const variables = { workspaceId: ACME_WORKSPACE, input: groupInput() };
    await ask(server, admin, CREATE, variables);
    expect(await refusalOf(server, admin, CREATE, variables)).toBe('SLUG_TAKEN');
  });

  it('can be deleted only while nobody has ordered from it', async () => {
    const unsold = await onSale(server, admin);
    expect(await ask(server, admin, DELETE, { id: unsold.ticketGroupId })).toBe(unsold.ticketGroupId);
    expect(await refusalOf(server, admin, DELETE, { id: unsold.ticketGroupId })).toBe('TICKET_GROUP_NOT_FOUND');

    const sold = await onSale(server, admin);
    expect((await order(server, orderInput(sold, await aGuest(server)))).status).toBe(200);
    expect(await refusalOf(server, admin, DELETE, { id: sold.ticketGroupId })).toBe('TICKET_GROUP_HAS_ORDERS');
  });

  it('is either deleted or ordered from, when both happen at the same time', async () => {
    for (let round = 0; round < 5; round++) {
      const group = await onSale(server, admin);
      const custIds = await Promise.all([1, 2, 3].map(() => aGuest(server)));
      const [removed, ...orders] = await Promise.all([
        refusalOf(server, admin, DELETE, { id: group.ticketGroupId }),
        ...custIds.map((custId) => order(server, orderInput(group, custId))),
      ]);
      const statuses = orders.map(({ status }) => status);
      expect(removed).toBeOneOf([undefined, 'TICKET_GROUP_HAS_ORDERS']);
      // A late order is refused because it, or its variant, is not found; once there is an order, it stays.
      expect(orders.filter(({ status, json }) => status !== 200 && !GONE.includes(json.code))).toEqual([]);
      expect(statuses.includes(200)).toBe(removed === 'TICKET_GROUP_HAS_ORDERS');
    }
  });

  it('that is taken off sale stays visible to staff, and sells nothing', async () => {
    const group = await onSale(server, admin);
    await ask(server, admin, UPDATE, { id: group.ticketGroupId, input: groupInput({ isActive: false }) });

    expect((await order(server, orderInput(group, await aGuest(server)))).json.code).toBe('NOT_ON_SALE');
    const { edges } = await ask(server, admin, MANAGED, { workspaceId: ACME_WORKSPACE });
    const shown = edges.find(
      ({ node }: { node: { ticketGroupId: string } }) => node.ticketGroupId === group.ticketGroupId,
    );
    expect(shown.node.isActive).toBe(false);
  });
});

describe('the capacity of a day', () => {
  it('is the default of the group, unless staff set the day; and again when they reset it', async () => {
    const { ticketGroupId: id } = await onSale(server, admin, { group: { dailyCapacity: 30 } });
    const range = { id, from: day(3), to: day(4) };

    expect(await ask(server, admin, SET_DAYS, { ...range, input: { capacity: 5 } })).toMatchObject([
      { date: day(3), capacity: 5, overridden: true },
      { date: day(4), capacity: 5 },
    ]);
    await ask(server, admin, UPDATE, { id, input: groupInput({ dailyCapacity: 40 }) });
    expect(await ask(server, admin, DAYS, { id, from: day(4), to: day(5) })).toMatchObject([
      { capacity: 5 },
      { capacity: 40 },
    ]);
    expect(await ask(server, admin, SET_DAYS, { ...range, input: {} })).toMatchObject([
      { capacity: 40, overridden: false },
      { capacity: 40 },
    ]);
  });

  it('never falls below the reserved places: by the day, by the default or by the variant', async () => {
    const group = await onSale(server, admin, { variant: { dailyCapacity: 10 } });
    const items = [{ itemId: group.itemId, quantityBought: 3 }];
    expect((await order(server, orderInput(group, await aGuest(server), { items }))).status).toBe(200);
    const id = group.ticketGroupId;

    const lower = { id, from: day(6), to: day(8), input: { capacity: 2 } };
    expect(await refusalOf(server, admin, SET_DAYS, lower)).toBe('CAPACITY_BELOW_RESERVED');
    expect(await refusalOf(server, admin, UPDATE, { id, input: groupInput({ dailyCapacity: 2 }) })).toBe(
      'CAPACITY_BELOW_RESERVED',
    );
    const variant = { id: group.ticketVariantId, input: variantInput({ dailyCapacity: 2 }) };
    expect(await refusalOf(server, admin, UPDATE_VARIANT, variant)).toBe('CAPACITY_BELOW_RESERVED');

    expect(await ask(server, admin, DAYS, { id, from: day(6), to: day(7) })).toMatchObject([
      { capacity: 100, reserved: 0, overridden: false },
      { capacity: 100, reserved: 3, overridden: false },
    ]);
    await ask(server, admin, SET_DAYS, { ...lower, input: { capacity: 3 } });
  });

  it('holds when it is lowered while buyers order: nothing is oversold', async () => {
    const group = await onSale(server, admin, { group: { dailyCapacity: 12 } });
    const { ticketGroupId: id } = group;
    const custIds = await Promise.all(Array.from({ length: 12 }, () => aGuest(server)));
    const lowering = Array.from({ length: 6 }, (_, index) =>
      refusalOf(server, admin, SET_DAYS, { id, from: day(7), to: day(7), input: { capacity: 3 + index } }),
    );
    const orders = await Promise.all(custIds.map((custId) => order(server, orderInput(group, custId))));
    await Promise.all(lowering);

    const sold = orders.filter(({ status }) => status === 200).length;
    const [{ capacity, reserved }] = await ask(server, admin, DAYS, { id, from: day(7), to: day(7) });
    expect(reserved).toBe(sold);
    expect(reserved).toBeLessThanOrEqual(capacity);
    expect(orders.every(({ status }) => status === 200 || status === 409)).toBe(true);
  });

  it('is set for days to come only, and for a year at most', async () => {
    const { ticketGroupId: id } = await onSale(server, admin);
    for (const range of [
      { from: day(-1), to: day(1) },
      { from: day(2), to: day(1) },
      { from: day(1), to: day(400) },
    ])
      expect(await refusalOf(server, admin, SET_DAYS, { id, ...range, input: { capacity: 5 } })).toBe(
        'VALIDATION_FAILED',
      );
  });
});

describe('the catalogue is administered', () => {
  it('by holders of catalogue:manage there, not by a plain member, a customer, a stranger, or another organization', async () => {
    const { ticketGroupId: id } = await onSale(server, admin);
    const variables = { workspaceId: ACME_WORKSPACE, input: groupInput() };
    const clerk = await organization.join('clerk');
    const customer = await logInCustomer(server);

    const there = { ...variables, workspaceId: organization.workspaceId };
    expect(await refusalOf(server, clerk, CREATE, there)).toBe('FORBIDDEN');
    expect(await refusalOf(server, clerk, DELETE, { id })).toBe('TICKET_GROUP_NOT_FOUND');
    expect(await refusalOf(server, organization.admin, CREATE, there)).toBeUndefined();
    expect(await refusalOf(server, customer, CREATE, variables)).toBe('FORBIDDEN');
    expect(await refusalOf(server, nobody, CREATE, variables)).toBe('UNAUTHENTICATED');
    expect(await refusalOf(server, organization.admin, CREATE, variables)).toBeOneOf([
      'FORBIDDEN',
      'WORKSPACE_NOT_FOUND',
    ]);
    for (const [query, more] of [
      [UPDATE, { input: groupInput() }],
      [DELETE, {}],
      [DAYS, { from: day(1), to: day(1) }],
      [SET_DAYS, { from: day(1), to: day(1), input: { closed: true } }],
    ] as const)
      expect(await refusalOf(server, organization.admin, query, { id, ...more })).toBe('TICKET_GROUP_NOT_FOUND');
  });
});
