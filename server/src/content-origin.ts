import { ConfigError } from '@foyer/shared/config/config';
import { errorReply } from '@foyer/shared/http/error-body';
import { routeNotFound } from '@foyer/shared/http/refusals';
import type { FastifyInstance } from 'fastify';

/** The routes with bytes that are not ours: uploaded files, and what nodes answer. */
const foreignContent = /^\/(?:assets\/\*|(?:streamers|caches|load-balancers)\/:id\/proxy(?:\/\*)?)$/;

/**
 * The origin that foreign content has for itself, where it has one. Cookies know no ports: it needs a host of its own.
 *
 * @throws {ConfigError} when a browser would take it for the house
 */
export function apartFrom(publicUrl: string, contentOrigin: string | undefined): string | undefined {
  if (contentOrigin && new URL(contentOrigin).hostname === new URL(publicUrl).hostname)
    throw new ConfigError('CONTENT_ORIGIN: must have another host than PUBLIC_URL');
  return contentOrigin;
}

/**
 * Answers foreign content on its own origin only, and there nothing else: whatever a browser makes of it, no session of
 * ours is near. Who asks for it elsewhere is sent there. To be called before there are routes.
 */
export function keepContentApart(app: FastifyInstance, contentOrigin: string | undefined): void {
  if (!contentOrigin) return;
  const isThere = isContentHost(contentOrigin);
  app.addHook('onRequest', (request, reply, done) => {
    const isForeign = foreignContent.test(request.routeOptions.url ?? '');
    if (!isThere(request.host)) {
      if (!isForeign) return done();
      return void reply.redirect(`${contentOrigin}${request.raw.url}`, 308); // method and body stay what they are
    }
    delete request.headers.cookie;
    if (isForeign) return done();
    // Here and now: error handlers of pages would answer with a page.
    const { status, body } = errorReply(routeNotFound(), request.id);
    void reply.code(status).send(body);
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    if (isThere(request.host)) reply.removeHeader('set-cookie');
    done(null, payload);
  });
}

/** Tells whether a `Host` is that of the content origin. */
export const isContentHost =
  (contentOrigin: string | undefined) =>
  (host: string | undefined): boolean => {
    if (!contentOrigin || !host) return false;
    const { protocol, host: own } = new URL(contentOrigin);
    return URL.parse(`${protocol}//${host}`)?.host === own;
  };
