import { Refusal } from '@foyer/shared/errors';
import type { Authentication } from '@foyer/shared/authentication';
import type { FastifyRequest } from 'fastify';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

const foreignOrigin = () =>
  new Refusal('FORBIDDEN', 'FOREIGN_ORIGIN', 'A page of another site may not use your session.');

/** A cookie travels by itself: what changes something on the strength of one must come from a page of ours. */
export function refuseForeignOrigin(request: FastifyRequest, { by }: Authentication, allowed: readonly string[]): void {
  if (by !== 'cookie' || safeMethods.has(request.method)) return;
  const { origin } = request.headers;
  if (request.headers['sec-fetch-site'] === 'cross-site' && !(origin && allowed.includes(origin)))
    throw foreignOrigin();
  if (!origin || allowed.includes(origin)) return;
  if (URL.canParse(origin) && new URL(origin).host === request.host) return;
  throw foreignOrigin();
}
