import cookie from '@fastify/cookie';
import formbody from '@fastify/formbody';
import type { Log } from '@foyer/shared/log';
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
      for (const row of routes) if (!row.form) row.mount(json, edge);
    });
  };
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
