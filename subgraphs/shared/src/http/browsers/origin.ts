import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

import type { FastifyInstance } from 'fastify';

import { isCrossSite } from './cross-site.ts';
import { foreignOrigin } from '../refusals.ts';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Whether a request comes from a page of a site that is not ours.
 *
 * Browsers say where a page is from, in `Origin` and `Sec-Fetch-Site`, and a page can't change it;
 * a client that sends neither is no browser, and nobody else's page is behind it.
 *
 * @param allowed origins whose pages may do what ours may, such as `https://shop.example`
 */
export function isForeign(
  { origin, host, 'sec-fetch-site': site }: IncomingHttpHeaders,
  allowed: readonly string[],
): boolean {
  if (origin !== undefined && allowed.includes(origin)) return false;
  // Where the host is ours but the browser calls the page another site's, it came over another scheme.
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  return origin !== undefined && (!URL.canParse(origin) || new URL(origin).host !== host);
}

/**
 * Refuses what would change something and comes from a page of another site, with a cookie or without, and WebSockets
 * from there. `crossSite` has the exceptions. To be called before there are routes; `upgradesOfOurPages` belongs to it.
 */
export function refuseForeignPages(app: FastifyInstance, allowed: readonly string[]): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { method, headers, routeOptions } = request;
    const harmless = safeMethods.has(method) && !('upgrade' in headers) && !('x-http-method-override' in headers);
    if (harmless || isCrossSite(method, routeOptions.url) || !isForeign(headers, allowed)) return done();
    done(foreignOrigin());
  });
}

/**
 * For Node's option `shouldUpgradeCallback`: a WebSocket from a page of another site is not opened. Its request goes on
 * as a plain one, which `refuseForeignPages` answers.
 */
export const upgradesOfOurPages =
  (allowed: readonly string[], mayUpgrade: (request: IncomingMessage) => boolean = () => true) =>
  (request: IncomingMessage): boolean =>
    mayUpgrade(request) && !isForeign(request.headers, allowed);
