import { beforeAll, describe, expect, it } from 'vitest';

import { createOrganization, type OrganizationFixture } from '../support/fixtures/organization.ts';
import type { logIn } from '../support/fixtures/people.ts';
import {
  acmeAdmin,
  aGuest,
  ask,
  nobody,
  onSale,
  order,
  orderInput,
  refusalOf,
  variantInput,
  type Asker,
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

const SHOWN = `query ($id: ID!) { ticketGroup(ticketGroupId: $id) {
  variants(all: true) { ticketVariantId itemId unitPrice dailyCapacity } } }`;
const UPDATE_VARIANT = `mutation ($id: ID!, $input: TicketVariantInput!) {
  updateTicketVariant(ticketVariantId: $id, input: $input) { isActive unitPrice dailyCapacity } }`;

describe('a variant', () => {
  it('has its price in whole sen', async () => {
    const { ticketGroupId, ticketVariantId } = await onSale(server, admin, { variant: { unitPriceSen: 19_99 } });
    expect((await ask(server, nobody, SHOWN, { id: ticketGroupId })).variants[0].unitPrice).toBe(19.99);
    for (const unitPriceSen of [-1, 100_000_001]) {
      const variables = { id: ticketVariantId, input: variantInput({ unitPriceSen }) };
      expect(await refusalOf(server, admin, UPDATE_VARIANT, variables)).toBe('VALIDATION_FAILED');
    }
    const fraction = { id: ticketVariantId, input: variantInput({ unitPriceSen: 1.5 }) };
    expect(await refusalOf(server, admin, UPDATE_VARIANT, fraction)).toBeTruthy();
  });

  it('that is taken off sale is shown to staff only, and not sold', async () => {
    const group = await onSale(server, admin);
    await ask(server, admin, UPDATE_VARIANT, { id: group.ticketVariantId, input: variantInput({ isActive: false }) });

    expect((await ask(server, nobody, SHOWN, { id: group.ticketGroupId })).variants).toEqual([]);
    expect((await ask(server, admin, SHOWN, { id: group.ticketGroupId })).variants).toHaveLength(1);
    expect((await order(server, orderInput(group, await aGuest(server)))).json.code).toBe('ITEM_NOT_OFFERED');
  });

  it('shows its own limit to staff of the catalogue and to nobody else, so that an editor can send it back', async () => {
    const { ticketGroupId, ticketVariantId } = await onSale(server, admin, { variant: { dailyCapacity: 12 } });
    const limitTo = async (reader: Asker) =>
      (await ask(server, reader, SHOWN, { id: ticketGroupId })).variants[0].dailyCapacity;

    expect(await limitTo(admin)).toBe(12);
    for (const other of [nobody, organization.admin]) expect(await limitTo(other)).toBeNull();
    const unlimited = { id: ticketVariantId, input: variantInput() };
    expect(await ask(server, admin, UPDATE_VARIANT, unlimited)).toMatchObject({ dailyCapacity: null });
  });

  it('keeps the order that staff set, also when they repeat it', async () => {
    const { ticketGroupId, ticketVariantId, itemId } = await onSale(server, admin);
    const second = await ask(
      server,
      admin,
      `mutation ($id: ID!, $itemId: String!, $input: TicketVariantInput!) {
        createTicketVariant(ticketGroupId: $id, itemId: $itemId, input: $input) { ticketVariantId itemId } }`,
      { id: ticketGroupId, itemId: `${itemId}-2`, input: variantInput() },
    );
    const sort = `mutation ($id: ID!, $ids: [ID!]!) {
      sortTicketVariants(ticketGroupId: $id, ticketVariantIds: $ids) { itemId } }`;
    const ids = [second.ticketVariantId, ticketVariantId];

    for (let time = 0; time < 2; time++)
      expect(await ask(server, admin, sort, { id: ticketGroupId, ids })).toEqual([
        { itemId: second.itemId },
        { itemId },
      ]);
    const { variants } = await ask(server, nobody, SHOWN, { id: ticketGroupId });
    expect(variants.map((one: { itemId: string }) => one.itemId)).toEqual([second.itemId, itemId]);
    const half = { id: ticketGroupId, ids: [ticketVariantId] };
    expect(await refusalOf(server, admin, sort, half)).toBe('VALIDATION_FAILED');
  });
});
