import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

import type { FastifyInstance } from 'fastify';

import { isAllowed, type BrowserRules } from './browser-rules.ts';
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
  allowed: BrowserRules['allowedOrigins'],
): boolean {
  if (isAllowed(origin, allowed)) return false;
  // When the host is ours but the browser reports another site, the page came over another scheme.
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  return origin !== undefined && (!URL.canParse(origin) || new URL(origin).host !== host);
}

/**
 * Refuses unsafe requests from pages of another site, with a cookie or without, and WebSockets from there. `crossSite` has
 * the exceptions. Must be called before routes are added, together with `upgradesOfOurPages`.
 */
export function refuseForeignPages(app: FastifyInstance, allowed: BrowserRules['allowedOrigins']): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { method, headers, routeOptions } = request;
    const harmless = safeMethods.has(method) && !('upgrade' in headers) && !('x-http-method-override' in headers);
    if (harmless || isCrossSite(method, routeOptions.url) || !isForeign(headers, allowed)) return done();
    done(foreignOrigin());
  });
}

/**
 * For Node's option `shouldUpgradeCallback`: a WebSocket from a page of another site is not opened. Its request continues
 * as a plain one, which `refuseForeignPages` answers. CORS does not apply to WebSockets: where other pages may not use the
 * cookies of their visitors, these are dropped here.
 */
export const upgradesOfOurPages =
  ({ allowedOrigins, cors }: BrowserRules, mayUpgrade: (request: IncomingMessage) => boolean = () => true) =>
  (request: IncomingMessage): boolean => {
    if (!mayUpgrade(request) || isForeign(request.headers, allowedOrigins)) return false;
    if (cors?.credentials === false && isForeign(request.headers, [])) delete request.headers.cookie;
    return true;
  };
