import { requireLogin } from '@foyer/shared/auth/viewer';
import type { Id } from '@foyer/shared/ids';

import type { Context } from '../context.ts';
import { knowsOrganization } from './knows-organization.ts';
import { organizationAsSeen, type SeenOrganization } from './organization.ts';

type Needs = Pick<Context, 'viewer' | 'permissions' | 'loaders'>;

/** Finds the organization of a record that the viewer may read, as far as they may see it: at least the name. */
export async function findOrganization(needs: Needs, id: Id): Promise<SeenOrganization | null> {
  const organization = await needs.loaders.organizations.load(id);
  return organization && organizationAsSeen(organization, await knowsOrganization(needs, id));
}

/**
 * Finds the organization with an id that the viewer has named: for its members, people who work in it, and the
 * platform.
 *
 * @throws {Refusal} `UNAUTHENTICATED`
 */
export async function lookUpOrganization(needs: Needs, id: Id): Promise<SeenOrganization | null> {
  const viewer = requireLogin(needs.viewer);
  const organization = await findOrganization(needs, id);
  if (!organization || organization.known) return organization;
  const worksThere =
    viewer.kind === 'staff' && (await needs.loaders.organizationsOf.load(viewer.userId)).has(organization.id);
  return worksThere ? organization : null;
}
