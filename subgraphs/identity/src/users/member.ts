import type { AuthUser, OrganizationMember } from '@foyer/prisma/client';

/** A person in an organization, with a role. */
export type Member = Pick<OrganizationMember, 'organizationId' | 'userId' | 'role' | 'createdAt'>;

const states = { active: 'ACTIVE', disabled: 'DISABLED', pending: 'PENDING', invited: 'INVITED' } as const;

/** Null for somebody whom only the core service knows. */
export const accountStateOf = (account: AuthUser | null) => account && states[account.accountState];
