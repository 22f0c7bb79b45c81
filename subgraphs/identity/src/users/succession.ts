import { lastAdministrator, lastOwner } from './refusals.ts';

/** How many others in the organization have these roles and may sign in. */
export interface Others {
  owners: number;
  administrators: number;
}

/**
 * Who would go, by another role, by being switched off or removed, leaves somebody in charge.
 *
 * @throws {Refusal} `LAST_OWNER`, `LAST_ADMINISTRATOR`
 */
export function assertSuccession(role: string, others: Others): void {
  if (others.owners > 0) return;
  if (role === 'ORG_OWNER') throw lastOwner();
  if (role === 'ORG_ADMIN' && others.administrators === 0) throw lastAdministrator();
}
