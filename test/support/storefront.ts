import { expect } from 'vitest';

import type { Server } from './server-process.ts';
import type { Json } from './json.ts';
import { graphql, send, logIn } from './people.ts';

export const ACME_WORKSPACE = '0a0c0000-0000-4000-8000-000000000101';

interface Asker {
  headers: Record<string, string>;
}

/** A day in Malaysia, so many days from today, as YYYY-MM-DD. */
export const day = (offset: number): string =>
  new Date(Date.now() + (offset * 24 + 8) * 3_600_000).toISOString().slice(0, 10);

/** 1 for Monday to 7 for Sunday. */
export const weekday = (date: string): number => new Date(`${date}T00:00:00Z`).getUTCDay() || 7;

/** One operation that must succeed; returns the value of its first field. */
export async function ask(server: Server, { headers }: Asker, query: string, variables: object = {}): Promise<Json> {
  const { data, errors } = await graphql(server, query, variables, headers);
  expect(errors).toBeUndefined();
  return Object.values(data as object)[0];
}

/** One operation that must be refused; returns why. */
export async function refusalOf(server: Server, { headers }: Asker, query: string, variables: object = {}) {
  const { errors } = await graphql(server, query, variables, headers);
  return (errors?.[0]?.extensions?.reason as string | undefined) ?? errors?.[0]?.extensions?.code;
}

export const nobody: Asker = { headers: {} };
export const acmeAdmin = (server: Server) => logIn(server, 'orgadmin@acme.test', 'ACME');

let count = 0;

/** What a ticket group needs, and what a test says of it. */
export const groupInput = (differently: object = {}) => {
  const slug = `shop-${process.pid}-${(count += 1)}`;
  return {
    slug,
    groupNameBm: `Cerita ${count}`,
    groupNameEn: `Story ${count}`,
    groupNameCn: `故事 ${count}`,
    dailyCapacity: 100,
    ...differently,
  };
};

export const variantInput = (differently: object = {}) => ({
  variant: 'Adult',
  nameBm: 'Dewasa',
  nameEn: 'Adult',
  nameCn: '成人',
  unitPriceSen: 45_00,
  ...differently,
});

const NEW_GROUP = `mutation ($workspaceId: ID!, $input: TicketGroupInput!) {
  createTicketGroup(workspaceId: $workspaceId, input: $input) { ticketGroupId slug } }`;
const NEW_VARIANT = `mutation ($ticketGroupId: ID!, $itemId: String!, $input: TicketVariantInput!) {
  createTicketVariant(ticketGroupId: $ticketGroupId, itemId: $itemId, input: $input) { ticketVariantId itemId } }`;

/** A ticket group on sale, with one variant, made by staff. */
export async function onSale(
  server: Server,
  staff: Asker,
  {
    workspaceId = ACME_WORKSPACE,
    itemId: wanted,
    group = {},
    variant = {},
  }: { workspaceId?: string; group?: object; variant?: object; itemId?: string } = {},
) {
  const made = await ask(server, staff, NEW_GROUP, { workspaceId, input: groupInput(group) });
  const itemId = wanted ?? `${made.slug}-adult`.toUpperCase();
  const { ticketVariantId } = await ask(server, staff, NEW_VARIANT, {
    ticketGroupId: made.ticketGroupId,
    itemId,
    input: variantInput(variant),
  });
  return { ticketGroupId: made.ticketGroupId as string, ticketVariantId: ticketVariantId as string, itemId };
}

/** A guest; a new one each time. */
export async function aGuest(server: Server, email = 'guest@example.test'): Promise<string> {
  const query = `mutation ($input: RegisterGuestCustomerInput!) { registerGuestCustomer(input: $input) { custId } }`;
  return (await ask(server, nobody, query, { input: { email, fullName: 'Guest Tan' } })).custId as string;
}

/** What a guest sends to order one ticket, a week from now. */
export const orderInput = (
  { ticketGroupId, itemId }: { ticketGroupId: string; itemId: string },
  custId: string,
  differently: object = {},
) => ({
  langChosen: 'EN',
  ticketGroupId,
  custId,
  buyerName: 'Guest Tan',
  buyerEmail: 'guest@example.test',
  admitDate: day(7),
  items: [{ itemId, quantityBought: 1 }],
  ...differently,
});

/** The same over REST, where numbers are numbers; whatever comes of it. */
export const order = (server: Server, input: { ticketGroupId: string } & Record<string, unknown>, path = '') =>
  send(server, 'POST', `/api/orderTicketGroup${path}`, {
    body: { ...input, ticketGroupId: Number(input.ticketGroupId) },
  });
