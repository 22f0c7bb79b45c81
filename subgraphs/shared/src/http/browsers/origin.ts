import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

import type { FastifyInstance } from 'fastify';

import { isCrossSite } from './cross-site.ts';
import { foreignOrigin } from '../refusals.ts';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Whether a request comes from a page of another site.
 *
 * Browsers name the origin of a page in `Origin` and `Sec-Fetch-Site`, which a page can't change; a client that sends
 * neither is not a browser.
 *
 * @param allowed origins whose pages have the same rights as ours, such as `https://shop.example`
 */
export function isForeign(
  { origin, host, 'sec-fetch-site': site }: IncomingHttpHeaders,
  allowed: readonly string[],
): boolean {
  if (origin !== undefined && allowed.includes(origin)) return false;
  // When the host is ours but the browser reports another site, the page came over another scheme.
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  return origin !== undefined && (!URL.canParse(origin) || new URL(origin).host !== host);
}

/**
 * Refuses unsafe requests from pages of another site, with a cookie or without, and WebSockets from there. `crossSite` has
 * the exceptions. Must be called before routes are added, together with `upgradesOfOurPages`.
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
 * For Node's option `shouldUpgradeCallback`: a WebSocket from a page of another site is not opened. Its request continues
 * as a plain one, which `refuseForeignPages` answers.
 */
export const upgradesOfOurPages =
  (allowed: readonly string[], mayUpgrade: (request: IncomingMessage) => boolean = () => true) =>
  (request: IncomingMessage): boolean =>
    mayUpgrade(request) && !isForeign(request.headers, allowed);
