import { unproven, type GivenId } from '@foyer/shared/ids';
import { prove, type OrganizationPermit } from '@foyer/shared/auth/permissions';
import { forbidden, requireStaff } from '@foyer/shared/auth/viewer';

import type { Context } from '../context.ts';
import { knowsOrganization } from './knows-organization.ts';
import { organizationNotFound } from './refusals.ts';

export type ReadingNeeds = Pick<Context, 'viewer' | 'permissions' | 'loaders'>;

/** Permits reading an organization's lists of people, roles and workspaces: for its own members, and the platform. */
export async function permitReading(
  needs: ReadingNeeds,
  given: GivenId | null | undefined,
): Promise<OrganizationPermit> {
  const id = unproven(given) ?? requireStaff(needs.viewer).organizationId;
  requireStaff(needs.viewer);
  if (!(await knowsOrganization(needs, id))) throw forbidden();
  if (!(await needs.loaders.organizations.load(id))) throw organizationNotFound();
  return prove({ organizationId: id });
}
