import type { FastifyInstance, FastifyRequest } from 'fastify';

import { formExpected, formRefused } from '../refusals.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * What kind of body a route takes besides JSON: the form of a page (`form`, and nothing else), or whatever comes,
     * which it passes on unread (`anything`). A route that says nothing takes no forms.
     */
    takes?: 'form' | 'anything';
  }
}

const FORM = 'application/x-www-form-urlencoded';

/** What an HTML form can send without being asked first (Fetch, "CORS-safelisted request-header"). */
const forms = new Set([FORM, 'multipart/form-data', 'text/plain']);

const bodiless = new Set(['GET', 'HEAD']);

/**
 * Keeps forms from all routes but those that declare them (`config.takes`): a page of another site can send a form
 * without asking, and JSON it can't. To be called before there are routes.
 */
export function refuseForms(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (bodiless.has(request.method) || request.is404) return done();
    const { takes } = request.routeOptions.config;
    if (takes === 'anything') return done();
    const type = typeOf(request);
    if (takes === 'form') return done(type === FORM ? undefined : formExpected());
    if (!forms.has(type)) return done();
    if (!isEmpty(request)) return done(formRefused());
    // Many clients call every body a form, also where they send none (`curl -d ''`, axios): there is nothing to read.
    delete request.headers['content-type'];
    done();
  });
}

/** The type without its parameters, as browsers compare it. */
const typeOf = ({ headers }: FastifyRequest) =>
  (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';

const isEmpty = ({ headers }: FastifyRequest) =>
  headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
