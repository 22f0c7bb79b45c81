import type { Context } from '../context.ts';
import { knowsOrganization } from './knows-organization.ts';
import { organizationAsSeen, type SeenOrganization } from './organization.ts';

type Needs = Pick<Context, 'viewer' | 'permissions' | 'loaders'>;

/** The organization with that id, as far as the viewer may see it. */
export async function findOrganization(needs: Needs, id: string): Promise<SeenOrganization | null> {
  const organization = await needs.loaders.organizations.load(id);
  return organization && organizationAsSeen(organization, await knowsOrganization(needs, id));
}
