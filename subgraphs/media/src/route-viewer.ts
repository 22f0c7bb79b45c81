import type { Authenticate } from '@foyer/shared/authentication';
import { assertMayChange, type Viewer } from '@foyer/shared/viewer';
import type { FastifyRequest } from 'fastify';

/** Tells who asks on a binary route, which has no GraphQL operation behind it. */
export type ViewerOf = (request: FastifyRequest, opening: readonly string[]) => Promise<Viewer | null>;

interface Door {
  authenticate: Authenticate;
  /** Whether a client without a token gets what the documents leave open. */
  restAuth: 'documented' | 'strict';
}

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/** A token wins; without one, an open door makes a legacy client that holds just the permissions of its route. */
export const viewerOfRequests =
  ({ authenticate, restAuth }: Door): ViewerOf =>
  async ({ method, headers }, opening) => {
    const { viewer } = await authenticate(headers);
    if (!safeMethods.has(method)) assertMayChange(viewer);
    return viewer ?? (restAuth === 'documented' ? { kind: 'legacy-client', permissions: opening } : null);
  };
