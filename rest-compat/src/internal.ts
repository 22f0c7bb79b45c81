import { createHash, timingSafeEqual } from 'node:crypto';

import type { HTTPMethods } from 'fastify';

import { browserRefused, internalTokenInvalid, internalUnavailable, notImplemented } from './refusals.ts';
import type { Admit, Route } from './route.ts';

const digest = (text: string) => createHash('sha256').update(text).digest();

/**
 * Admits services with the shared secret in `X-Internal-Token`, and no browser. The comparison takes constant time, so
 * that it reveals neither how much of the secret matched nor which secret did.
 */
export const admitService: Admit = ({ headers }, { internalSecrets }) => {
  if (headers.origin !== undefined || headers['sec-fetch-site'] !== undefined) throw browserRefused();
  if (internalSecrets.length === 0) throw internalUnavailable();
  const given = digest(String(headers['x-internal-token'] ?? ''));
  const matches = internalSecrets.map((secret) => timingSafeEqual(given, digest(secret)));
  if (!matches.includes(true)) throw internalTokenInvalid();
  return { kind: 'service' };
};

/** A documented route that answers services with 501. */
export const stub = (method: HTTPMethods, url: string): Route => ({
  method,
  url,
  token: 'needed',
  open: false,
  form: false,
  mount: (app, { config }) =>
    app.route({
      method,
      url,
      onRequest: async (request) => void admitService(request, config),
      handler: () => {
        throw notImplemented();
      },
    }),
});
