import { errorReply } from '@foyer/shared/http/error-body';
import { routeNotFound } from '@foyer/shared/http/refusals';
import type { FastifyInstance } from 'fastify';

/** The routes that serve foreign bytes: uploaded files, and the answers of nodes. */
const foreignContent = /^\/(?:assets\/\*|(?:streamers|caches|load-balancers)\/:id\/proxy(?:\/\*)?)$/;

/**
 * Serves foreign content on its own origin only, and nothing else there: whatever a browser executes of it, it can't
 * reach a session. Requests for foreign content on another host are redirected. Must be called before routes are added.
 */
export function keepContentApart(app: FastifyInstance, contentOrigin: string | undefined): void {
  if (!contentOrigin) return;
  const isThere = isContentHost(contentOrigin);
  app.addHook('onRequest', (request, reply, done) => {
    const isForeign = foreignContent.test(request.routeOptions.url ?? '');
    if (!isThere(request.host)) {
      if (!isForeign) return done();
      return void reply.redirect(`${contentOrigin}${request.raw.url}`, 308); // keeps method and body
    }
    delete request.headers.cookie;
    if (isForeign) return done();
    // Answered here, because the error handlers of pages would send a page.
    const { status, body } = errorReply(routeNotFound(), request.id);
    void reply.code(status).send(body);
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    if (isThere(request.host)) reply.removeHeader('set-cookie');
    done(null, payload);
  });
}

/** Returns whether a `Host` header names the content origin. */
export const isContentHost =
  (contentOrigin: string | undefined) =>
  (host: string | undefined): boolean => {
    if (!contentOrigin || !host) return false;
    const { protocol, host: own } = new URL(contentOrigin);
    return URL.parse(`${protocol}//${host}`)?.host === own;
  };
