import type { FastifyInstance, FastifyRequest } from 'fastify';

import { formExpected, formRefused } from '../refusals.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * The bodies that a route takes besides JSON: only the form of a page (`form`), or any body, which it forwards unread
     * (`anything`). By default a route takes no forms.
     */
    takes?: 'form' | 'anything';
  }
}

const FORM = 'application/x-www-form-urlencoded';

/** The types that an HTML form can send without a preflight (Fetch, "CORS-safelisted request-header"). */
const forms = new Set([FORM, 'multipart/form-data', 'text/plain']);

const bodiless = new Set(['GET', 'HEAD']);

/**
 * Refuses forms on all routes but those that declare them (`config.takes`): a page of another site can send a form without
 * a preflight, but not JSON. Must be called before routes are added.
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
    // Many clients send the type of a form with an empty body (`curl -d ''`, axios): there is nothing to read.
    delete request.headers['content-type'];
    done();
  });
}

/** The type without its parameters, as browsers compare it. */
const typeOf = ({ headers }: FastifyRequest) =>
  (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';

const isEmpty = ({ headers }: FastifyRequest) =>
  headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
