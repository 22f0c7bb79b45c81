import { lastAdministrator, lastOwner } from './refusals.ts';

/** How many others in the organization have these roles and may log in. */
export interface Others {
  owners: number;
  administrators: number;
}

/**
 * Asserts that somebody stays in charge when a person gets another role, is disabled or removed.
 *
 * @throws {Refusal} `LAST_OWNER`, `LAST_ADMINISTRATOR`
 */
export function assertSuccession(role: string, others: Others): void {
  if (others.owners > 0) return;
  if (role === 'ORG_OWNER') throw lastOwner();
  if (role === 'ORG_ADMIN' && others.administrators === 0) throw lastAdministrator();
}
