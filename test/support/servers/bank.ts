import { expect } from 'vitest';

import type { Server } from './server-process.ts';
import { send } from '../fixtures/people.ts';
import { acmeAdmin, day, onSale } from '../fixtures/storefront.ts';

/** The hidden fields of the form on a page, and its action. */
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
    signal: AbortSignal.timeout(60_000),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** A ticket group with its variant, and a day on which it is open. */
interface Sale {
  ticketGroupId: number;
  name: string;
  variant: { itemId: string; unitPrice: number };
  admitDate: string;
}

/** By the URL of the server. */
const sales = new Map<string, Promise<Sale>>();

/** A ticket group of Acme that costs something, and a day on which it is open: no other test changes it or sells it out. */
export function somethingOnSale(server: Server): Promise<Sale> {
  const sale = sales.get(server.url) ?? putOnSale(server);
  sales.set(server.url, sale);
  return sale;
}

async function putOnSale(server: Server): Promise<Sale> {
  const name = 'A visit';
  const group = { groupNameEn: name, dailyCapacity: 10_000 };
  const { ticketGroupId, itemId } = await onSale(server, await acmeAdmin(server), { group });
  return { ticketGroupId: Number(ticketGroupId), name, variant: { itemId, unitPrice: 45 }, admitDate: day(7) };
}

interface Customer {
  custId: string;
  headers: Record<string, string>;
}

/** A new order of two tickets, not yet paid. */
export async function placeOrder(server: Server, customer: Customer, differently: object = {}, sale?: Sale) {
  const { custId, headers } = customer;
  const { ticketGroupId, variant, admitDate } = sale ?? (await somethingOnSale(server));
  const { status, json } = await send(server, 'POST', '/api/orderTicketGroup', {
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
export async function goToTheBank(server: Server, orderNo: string) {
  const redirecting = await submit(new URL('/payment/process', server.url), { orderNo });
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
export async function payAtTheBank(server: Server, orderNo: string, outcome = 'approve'): Promise<URL> {
  const back = await decide(await goToTheBank(server, orderNo), outcome);
  const returned = await fetch(back, { redirect: 'manual' });
  expect(returned.status).toBe(302);
  return new URL(returned.headers.get('location') ?? '', server.url);
}
