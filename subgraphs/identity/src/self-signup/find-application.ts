import { isUuid, type GivenId } from '@foyer/shared/ids';
import { permitOverOrganization } from '@foyer/shared/auth/permissions';

import type { Context } from '../context.ts';
import { applicationOf, type Application } from './application.ts';

type Needs = Pick<Context, 'viewer' | 'permissions' | 'db'>;

/** Finds the application for an organization, for the staff who decide on it. */
export async function findApplication(needs: Needs, given: GivenId): Promise<Application | null> {
  const { organizationId: id } = await permitOverOrganization(needs, given, 'org:manage');
  const organization = isUuid(id) ? await needs.db.authOrganization.findUnique({ where: { id } }) : null;
  return organization && applicationOf(organization);
}
