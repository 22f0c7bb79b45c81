/**
 * How soon a buyer sees the storefront on a slow phone connection, and whether anything moves while it loads:
 *
 *     pnpm bench:storefront [--runs 3] [--connection slow-4g]
 *
 * Opens the list, the page of a ticket group and the page of an order in Chromium, each with an empty cache on a phone, through a
 * connection that the browser slows down. Prints the median of Largest Contentful Paint, the Cumulative Layout Shift and what was
 * loaded. Ends with 1 when a page misses its target.
 *
 * `slow-4g` is what Lighthouse calls Slow 4G: round trips of 150 ms, 1.6 Mbit/s. `lighthouse-applied` has the latency of 562 ms for
 * each request that Lighthouse applies for it in DevTools, which stands for opening connections, too: here there is one.
 */
import { parseArgs } from 'node:util';

import type { Browser, Page } from 'playwright-core';

import { screens } from '../support/browsers/browser.ts';
import { launchBrowser } from '../support/browsers/chromium.ts';
import { send } from '../support/fixtures/people.ts';
import { day } from '../support/fixtures/storefront.ts';
import { startServerProcess, stopServerProcess, type Server } from '../support/servers/server-process.ts';
import { median } from './median.ts';
import { print } from './print.ts';

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '3' }, connection: { type: 'string', default: 'slow-4g' } },
});

const WANTED_LCP_MS = 2_500;
const WANTED_CLS = 0;
const bytesPerSecond = (megabits: number) => (megabits * 1_000_000) / 8;
const connections: Readonly<Record<string, { latency: number; downloadThroughput: number; uploadThroughput: number }>> =
  {
    'slow-4g': { latency: 150, downloadThroughput: bytesPerSecond(1.6), uploadThroughput: bytesPerSecond(0.75) },
    'lighthouse-applied': {
      latency: 562.5,
      downloadThroughput: bytesPerSecond(1.474),
      uploadThroughput: bytesPerSecond(0.675),
    },
  };
const connection = connections[values.connection];
if (!connection) throw new Error(`--connection is one of ${Object.keys(connections).join(', ')}`);

/** What the browser notes down while a page loads. */
const OBSERVE = `window.seen = { lcp: 0, of: '', cls: 0 };
new PerformanceObserver((list) => {
  for (const { startTime, element } of list.getEntries())
    Object.assign(seen, { lcp: startTime, of: (element?.nodeName ?? '') + ' ' + (element?.textContent ?? '').slice(0, 30) });
}).observe({ type: 'largest-contentful-paint', buffered: true });
new PerformanceObserver((list) => {
  for (const { hadRecentInput, value } of list.getEntries()) if (!hadRecentInput) seen.cls += value;
}).observe({ type: 'layout-shift', buffered: true });`;

interface Place {
  name: string;
  path: string;
  /** What shows that the page is complete. */
  sign: string;
}

interface Seen {
  lcp: number;
  /** The element that was painted last. */
  of: string;
  cls: number;
  bytes: number;
}

/** The order page asks for the e-mail in a tab that did not place the order. */
const remember = (orderNo: string, email: string) =>
  `sessionStorage.setItem('foyer.order.${orderNo}', ${JSON.stringify(JSON.stringify(email))});`;

async function visit(browser: Browser, url: string, { path, sign }: Place, setUp: string): Promise<Seen> {
  const context = await browser.newContext({ ...screens.phone, locale: 'en-GB', baseURL: url });
  try {
    await context.addInitScript(OBSERVE + setUp);
    const page = await context.newPage();
    const bytes = await slowDown(page);
    await page.goto(path, { waitUntil: 'commit' });
    await page.locator(sign).first().waitFor();
    await page.waitForLoadState('networkidle');
    return { ...(await page.evaluate<Omit<Seen, 'bytes'>>('window.seen')), bytes: bytes() };
  } finally {
    await context.close();
  }
}

async function slowDown(page: Page): Promise<() => number> {
  const devtools = await page.context().newCDPSession(page);
  let bytes = 0;
  devtools.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', { offline: false, ...connection } as never);
  return () => bytes;
}

/** @returns whether it is within its targets */
async function measure(browser: Browser, url: string, place: Place, setUp = ''): Promise<boolean> {
  const visits: Seen[] = [];
  for (let run = 0; run < Number(values.runs); run += 1) visits.push(await visit(browser, url, place, setUp));
  const lcp = median(visits.map((each) => each.lcp));
  const cls = Math.max(...visits.map((each) => each.cls));
  const bytes = median(visits.map((each) => each.bytes));
  const facts = [`LCP ${lcp.toFixed(0).padStart(5)} ms`, `CLS ${cls.toFixed(3)}`, `${(bytes / 1_000).toFixed(0)} kB`];
  print([place.name.padEnd(8), ...facts, visits[0]?.of.trim()].join('   '));
  return lcp < WANTED_LCP_MS && cls <= WANTED_CLS;
}

const EMAIL = 'bench@example.test';

/** A free order of the demonstration. */
async function placeOrder(server: Server): Promise<string> {
  const { json: sale } = await send(server, 'POST', '/graphql', {
    body: {
      query: '{ ticketGroups(first: 50) { edges { node { ticketGroupId variants { itemId unitPrice } } } } }',
    },
  });
  const groups = sale.data.ticketGroups.edges.map(({ node }: { node: Group }) => node) as Group[];
  const free = groups.find(({ variants }) => variants.every(({ unitPrice }) => unitPrice === 0));
  const { json } = await send(server, 'POST', '/api/orderTicketGroup/free', {
    body: {
      langChosen: 'EN',
      ticketGroupId: Number(free?.ticketGroupId),
      buyerName: 'Guest Tan',
      buyerEmail: EMAIL,
      admitDate: day(3),
      items: [{ itemId: free?.variants[0]?.itemId, quantityBought: 1 }],
    },
  });
  return json.orderNo as string;
}

interface Group {
  ticketGroupId: string;
  variants: { itemId: string; unitPrice: number }[];
}

const server = await startServerProcess({ LOG_LEVEL: 'warn' }, 'single');
const browser = await launchBrowser();
try {
  const orderNo = await placeOrder(server);
  const places: readonly Place[] = [
    { name: 'list', path: '/demo', sign: '.offer img' },
    { name: 'group', path: '/demo#/tickets/1', sign: '.AVAILABLE' },
    { name: 'order', path: `/demo#/orders/${orderNo}`, sign: '.tickets a' },
  ];
  for (const { path, sign, name } of places)
    await visit(browser, server.url, { path, sign, name }, remember(orderNo, EMAIL)); // warms the server
  print(`${values.connection}, ${values.runs} visits of each page with an empty cache, on a phone`);
  const results: boolean[] = [];
  for (const place of places) results.push(await measure(browser, server.url, place, remember(orderNo, EMAIL)));
  print(`wanted: LCP below ${WANTED_LCP_MS} ms, CLS ${WANTED_CLS}`);
  if (results.includes(false)) process.exitCode = 1;
} finally {
  await browser.close();
  await stopServerProcess(server);
}
