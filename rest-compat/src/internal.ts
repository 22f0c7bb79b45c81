import { createHash, timingSafeEqual } from 'node:crypto';

import { Refusal } from '@foyer/shared/errors';
import type { HTTPMethods } from 'fastify';

import type { Admit, Route } from './route.ts';

const browserRefused = () =>
  new Refusal('FORBIDDEN', 'BROWSER_REFUSED', 'This route is for services; no page may call it.');

const internalUnavailable = () =>
  new Refusal('UPSTREAM_UNAVAILABLE', 'INTERNAL_UNAVAILABLE', 'No secret for calls between services is configured.');

const internalTokenInvalid = () =>
  new Refusal('UNAUTHENTICATED', 'INTERNAL_TOKEN_INVALID', 'X-Internal-Token is missing or wrong.');

const notImplemented = () =>
  new Refusal('NOT_IMPLEMENTED', 'NOT_IMPLEMENTED', 'This route exists in name only, as documented.');

const digest = (text: string) => createHash('sha256').update(text).digest();

/**
 * Lets in a service that says the shared secret in `X-Internal-Token`, and no page of a browser. Every secret
 * is compared in full, so that the time says neither how much of it was right nor which one it was.
 */
export const admitService: Admit = ({ headers }, { internalSecrets }) => {
  if (headers.origin !== undefined || headers['sec-fetch-site'] !== undefined) throw browserRefused();
  if (internalSecrets.length === 0) throw internalUnavailable();
  const said = digest(String(headers['x-internal-token'] ?? ''));
  const matches = internalSecrets.map((secret) => timingSafeEqual(said, digest(secret)));
  if (!matches.includes(true)) throw internalTokenInvalid();
  return { kind: 'service' };
};

/** A documented route that answers 501, to services only. */
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
