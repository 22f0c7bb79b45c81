import { requireLogin } from '@foyer/shared/auth/viewer';
import type { Id } from '@foyer/shared/ids';

import type { Context } from '../context.ts';
import { knowsOrganization } from './knows-organization.ts';
import { personOf, type Person } from './person.ts';
import { memberNotFound } from './refusals.ts';

type Needs = Pick<Context, 'viewer' | 'permissions' | 'loaders'>;

/**
 * Finds a person, as far as the viewer may see them: everything of people of the viewer's own organization, the name of
 * people who work with the viewer in another one, and nothing of others.
 */
export async function findPerson(needs: Needs, id: Id): Promise<Person | null> {
  const user = await needs.loaders.users.load(id);
  if (!user) return null;
  if (await knowsOrganization(needs, user.organizationId)) return personOf(user);
  return (await areAcquainted(needs, user.id)) ? personOf(user, false) : null;
}

/**
 * Finds the person with an id that the viewer has named.
 *
 * @throws {Refusal} `UNAUTHENTICATED`
 */
export async function lookUpPerson(needs: Needs, id: Id): Promise<Person | null> {
  requireLogin(needs.viewer);
  return findPerson(needs, id);
}

async function areAcquainted({ viewer, loaders }: Needs, userId: Id): Promise<boolean> {
  if (viewer?.kind !== 'staff') return false;
  const [own, theirs] = await Promise.all([
    loaders.organizationsOf.load(viewer.userId),
    loaders.organizationsOf.load(userId),
  ]);
  return !own.isDisjointFrom(theirs);
}

/** Finds the person of a record that the viewer may read: at least the name; null for a deleted person. */
export async function nameOfPerson(needs: Needs, id: Id): Promise<Person | null> {
  const user = await needs.loaders.users.load(id);
  return user && personOf(user, await knowsOrganization(needs, user.organizationId));
}

/** The same for a record that must have a person. */
export async function requirePerson(needs: Needs, id: Id): Promise<Person> {
  const person = await nameOfPerson(needs, id);
  if (!person) throw memberNotFound(); // removed since the record was read
  return person;
}
