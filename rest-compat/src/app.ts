import cookie from '@fastify/cookie';
import formbody from '@fastify/formbody';
import type { Log } from '@foyer/shared/telemetry/log';
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';

import { mountLoginApp } from './login/routes.ts';
import { mountPageFiles } from './page-files.ts';
import type { Edge } from './route.ts';
import { openRoutes, routes } from './routes.ts';

/** The REST paths that legacy clients know, each of them one GraphQL operation. */
export function createRestCompat({ log, ...edge }: Edge & { log: Log }): FastifyPluginAsync {
  if (edge.config.restAuth === 'documented') {
    log.warn({ routes: openRoutes }, 'REST_AUTH=documented: these routes answer without a token');
    log.warn(
      { route: 'GET /api/orderTicketGroup' },
      'REST_AUTH=documented: this route tells order numbers, which open tickets, to whoever counts its ids up; strict does not',
    );
  }
  return async (app) => {
    await app.register(cookie);
    mountPageFiles(app);
    await app.register(async (forms) => {
      forms.removeAllContentTypeParsers();
      await forms.register(formbody);
      mountLoginApp(forms, edge);
      for (const row of routes) if (row.form) row.mount(forms, edge);
    });
    await app.register(async (json) => {
      acceptNoBody(json);
      readAsJson(json);
      for (const row of routes) if (!row.form) row.mount(json, edge);
    });
  };
}

const RELATED = /^application\/[\w!#$&^.+-]+\+json$/i;

/**
 * The documents say that all bodies are JSON: one of no type, or of a type that is JSON underneath (RFC 6839), is read as
 * such. A page of any site can send a body of no type without being asked first: `refuseForeignPages` has looked at where
 * it comes from by then. Forms and plain text are refused by then, too (`refuseForms`).
 */
function readAsJson(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const type = (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim() ?? '';
    if (type === '' || RELATED.test(type)) request.headers['content-type'] = 'application/json';
    done();
  });
}

/** Many clients call every body JSON, also where they send none: as with a DELETE. */
function acceptNoBody(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else void parse(request, body, done);
  });
}
