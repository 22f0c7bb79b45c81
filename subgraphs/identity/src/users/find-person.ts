import type { Context } from '../context.ts';
import { knowsOrganization } from '../organizations/knows-organization.ts';
import { personOf, type Person } from './person.ts';
import { memberNotFound } from './refusals.ts';

type Needs = Pick<Context, 'viewer' | 'permissions' | 'loaders'>;

/** The person with that id, as far as the viewer may see them. */
export async function findPerson(needs: Needs, id: string): Promise<Person | null> {
  const user = await needs.loaders.users.load(id);
  return user && personOf(user, await knowsOrganization(needs, user.organizationId));
}

/** The person in a record that can't be without one. */
export async function requirePerson(needs: Needs, id: string): Promise<Person> {
  const person = await findPerson(needs, id);
  if (!person) throw memberNotFound(); // removed since the record was read
  return person;
}
