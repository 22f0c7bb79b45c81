import { isUtf8 } from 'node:buffer';

import cookie from '@fastify/cookie';
import formbody from '@fastify/formbody';
import type { Log } from '@foyer/shared/telemetry/log';
import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify';

import { mountLoginApp } from './login/routes.ts';
import { mountPageFiles } from './page-files.ts';
import { notUtf8 } from './refusals.ts';
import type { Edge } from './route.ts';
import { openRoutes, routes } from './routes.ts';

/** Creates the REST routes of legacy clients, each of which runs one GraphQL operation, and the pages of the login app. */
export function createRestCompat({ log, ...edge }: Edge & { log: Log }): FastifyPluginAsync {
  if (edge.config.restAuth === 'documented') {
    const level = edge.config.production ? 'warn' : 'info'; // the default elsewhere, which nobody has to be warned of
    log[level]({ routes: openRoutes }, 'REST_AUTH=documented: these routes answer without a token');
    log[level](
      { route: 'GET /api/orderTicketGroup' },
      'REST_AUTH=documented: this route shows order numbers, which give access to tickets, to anyone who counts up its ids; strict does not',
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
      readJson(json);
      readAsJson(json);
      for (const row of routes) if (!row.form) row.mount(json, edge);
    });
  };
}

const RELATED = /^application\/[\w!#$&^.+-]+\+json$/i;

/**
 * Reads bodies without a type, or with a `+json` type (RFC 6839), as JSON, which the documents say all bodies are, and
 * empty ones of any type: there is nothing to read. Pages of other sites can send a body without a type and without a
 * preflight: `refuseForeignPages` has refused those before. `refuseForms` has refused forms and plain text.
 */
function readAsJson(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const type = (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim() ?? '';
    if (type === '' || RELATED.test(type) || isEmpty(request)) request.headers['content-type'] = 'application/json';
    done();
  });
}

const isEmpty = ({ headers }: FastifyRequest) =>
  headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;

/**
 * Fastify's JSON parser, which also accepts an empty body: many clients send the type with every request, even a DELETE.
 * It would read each byte that is not UTF-8 as U+FFFD, and a name would be printed and a password stored with it.
 */
function readJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0) done(null, undefined);
    else if (isUtf8(body)) void parse(request, body.toString(), done);
    else done(notUtf8());
  });
}
