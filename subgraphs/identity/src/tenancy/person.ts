import type { User } from '@foyer/prisma/client';
import type { Id } from '@foyer/shared/ids';

/** A person as some viewer sees them. */
export interface Person {
  id: Id;
  name: string;
  username: string | null;
  email: string | null;
  firstName: string | null;
  lastName: string | null;
  /** Null when the viewer may not know it. */
  organizationId: Id | null;
}

/** What a person's name is made of, and what only some viewers may know. */
export type NamedPerson = Pick<User, 'id' | 'organizationId' | 'username' | 'email' | 'firstName' | 'lastName'>;

/** @param known whether the viewer may know more than the name */
export function personOf(user: NamedPerson, known = true): Person {
  const { id, organizationId, username, email, firstName, lastName } = user;
  const name = `${firstName} ${lastName}`.trim();
  if (known) return { id, name: name || username, username, email, firstName, lastName, organizationId };
  // A user name is often an address.
  return { id, name, username: null, email: null, firstName: null, lastName: null, organizationId: null };
}
