import type { House } from './house.ts';
import { send } from './people.ts';

/** The hidden fields of the form on a page, and where it goes. */
export function formOf(html: string) {
  const unescaped = (text: string) =>
    text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
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
export async function somethingOnSale(house: House) {
  const query = `query ($from: Date!, $to: Date!) { ticketGroups(first: 20) { edges { node {
    ticketGroupId groupNameEn variants { itemId variant unitPrice } availability(from: $from, to: $to) { date status } } } } }`;
  const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
  const { json } = await send(house, 'POST', '/graphql', { body: { query, variables: { from: day(2), to: day(9) } } });
  for (const { node } of json.data.ticketGroups.edges) {
    const variant = node.variants.find(({ unitPrice }: { unitPrice: number }) => unitPrice > 0);
    const open = node.availability.find(({ status }: { status: string }) => status === 'AVAILABLE');
    if (variant && open) return { ticketGroupId: Number(node.ticketGroupId), name: node.groupNameEn as string, variant, admitDate: open.date as string };
  }
  throw new Error('nothing is on sale');
}
