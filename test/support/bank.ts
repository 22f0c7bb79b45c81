import { expect } from 'vitest';

import type { Server } from './house.ts';
import { send } from './people.ts';

/** The hidden fields of the form on a page, and where it goes. */
export function formOf(html: string) {
  const unescaped = (text: string) =>
    text
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&');
  const action = unescaped(/<form[^>]* action="([^"]*)"/.exec(html)?.[1] ?? '');
  const fields = [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(
    ([, name = '', value = '']) => [unescaped(name), unescaped(value)] as const,
  );
  return { action, fields: Object.fromEntries(fields) };
}

/** Sends a form as a browser does. */
export async function submit(url: string | URL, fields: Record<string, string>) {
  const response = await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields),
    signal: AbortSignal.timeout(20_000),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** A ticket group that costs something, and a day on which it is open. */
export async function somethingOnSale(house: Server) {
  const query = `query ($from: Date!, $to: Date!) { ticketGroups(first: 20) { edges { node {
    ticketGroupId groupNameEn variants { itemId variant unitPrice } availability(from: $from, to: $to) { date status } } } } }`;
  const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
  const { json } = await send(house, 'POST', '/graphql', { body: { query, variables: { from: day(2), to: day(9) } } });
  if (!json.data) throw new Error(JSON.stringify(json.errors));
  for (const { node } of json.data.ticketGroups.edges) {
    const variant = node.variants.find(({ unitPrice }: { unitPrice: number }) => unitPrice > 0);
    const open = node.availability.find(({ status }: { status: string }) => status === 'AVAILABLE');
    if (variant && open)
      return {
        ticketGroupId: Number(node.ticketGroupId),
        name: node.groupNameEn as string,
        variant,
        admitDate: open.date as string,
      };
  }
  throw new Error('nothing is on sale');
}

interface Customer {
  custId: string;
  headers: Record<string, string>;
}

/** A new order of two tickets, not yet paid: of what is on sale first, unless told otherwise. */
export async function placeOrder(
  house: Server,
  customer: Customer,
  differently: object = {},
  sale?: Awaited<ReturnType<typeof somethingOnSale>>,
) {
  const { custId, headers } = customer;
  const { ticketGroupId, variant, admitDate } = sale ?? (await somethingOnSale(house));
  const { status, json } = await send(house, 'POST', '/api/orderTicketGroup', {
    headers,
    body: {
      langChosen: 'EN',
      ticketGroupId,
      custId,
      buyerName: 'Siti binti Ali',
      buyerEmail: 'siti@example.test',
      admitDate,
      items: [{ itemId: variant.itemId, unitPrice: variant.unitPrice, quantityBought: 2 }],
      ...differently,
    },
  });
  expect(status).toBe(200);
  return json as { orderNo: string; billId: string; totalAmount: number };
}

/** Goes to the bank with an order; returns the address and the page that a customer sees there. */
export async function goToTheBank(house: Server, orderNo: string) {
  const redirecting = await submit(new URL('/payment/process', house.url), { orderNo });
  expect(redirecting.status).toBe(200);
  const { action, fields } = formOf(redirecting.text);
  const page = await submit(action, fields);
  expect(page.status).toBe(200);
  return { address: action, html: page.text };
}

/** Presses a button of the bank's page as a browser without JavaScript would; returns where it sends the customer. */
export async function decide({ address, html }: { address: string; html: string }, outcome: string): Promise<URL> {
  const { action, fields } = formOf(html);
  const decided = await submit(new URL(action, address), { ...fields, outcome });
  expect(decided.status).toBe(303);
  return new URL(decided.headers.get('location') ?? '', address);
}

/** Pays, and comes back from the bank; returns the page that the customer ends on. */
export async function payAtTheBank(house: Server, orderNo: string): Promise<URL> {
  const back = await decide(await goToTheBank(house, orderNo), 'approve');
  const returned = await fetch(back, { redirect: 'manual' });
  expect(returned.status).toBe(302);
  return new URL(returned.headers.get('location') ?? '', house.url);
}
