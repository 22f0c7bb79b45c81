import type { Context } from '../context.ts';
import { knowsOrganization } from '../organizations/knows-organization.ts';
import { personOf, type Person } from './person.ts';

type Needs = Pick<Context, 'viewer' | 'permissions' | 'loaders'>;

/** The person with that id, as far as the viewer may see them. */
export async function findPerson(needs: Needs, id: string): Promise<Person | null> {
  const user = await needs.loaders.users.load(id);
  return user && personOf(user, await knowsOrganization(needs, user.organizationId));
}
