import { authenticateRequest, type Authenticate } from '@foyer/shared/auth/authentication';
import { throughOpening } from '@foyer/shared/auth/opening';
import { assertMayChange, type Viewer } from '@foyer/shared/auth/viewer';
import type { FastifyRequest } from 'fastify';

/** Returns the viewer of a request to a binary route, which has no GraphQL operation behind it. */
export type ViewerOf = (request: FastifyRequest, opening: readonly string[]) => Promise<Viewer | null>;

interface Options {
  authenticate: Authenticate;
  /** Whether a client without a token gets what the documents leave open. */
  restAuth: 'documented' | 'strict';
}

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Returns the viewer as open routes of GraphQL operations do: what the route opens is for everybody, signed in or not. */
export const viewerOfRequests =
  ({ authenticate, restAuth }: Options): ViewerOf =>
  async ({ method, headers }, opening) => {
    const open = restAuth === 'documented';
    const { viewer } = await authenticateRequest(authenticate, headers, open ? 'optional' : 'required');
    if (!safeMethods.has(method)) assertMayChange(viewer);
    return open ? throughOpening(viewer, { permissions: opening }) : viewer;
  };
