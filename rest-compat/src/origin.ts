import type { Authentication } from '@foyer/shared/authentication';
import { Refusal } from '@foyer/shared/errors';
import { isForeign } from '@foyer/shared/origin';
import type { FastifyRequest } from 'fastify';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

export const foreignOrigin = () =>
  new Refusal('FORBIDDEN', 'FOREIGN_ORIGIN', 'A page of another site may not use your session.');

/**
 * Refuses what changes something on the strength of a cookie when it comes from a page of another site.
 *
 * @throws {Refusal} `FOREIGN_ORIGIN`
 */
export function refuseForeignOrigin(
  { method, headers }: FastifyRequest,
  { by }: Authentication,
  allowed: readonly string[],
): void {
  const byCookie = by === 'cookie' || headers.cookie?.includes('refresh_token=');
  if (byCookie && !safeMethods.has(method) && isForeign(headers, allowed)) throw foreignOrigin();
}
