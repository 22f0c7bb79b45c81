import { uuidOf, uuidText } from '@foyer/shared/ids';
import { z } from 'zod';

import { OptionalPagination } from '@foyer/shared/pagination';

/** The prefix of the core service's tenancy routes (spec 1, "Core service: identity and tenancy routes"). */
export const tenancy = '/api/v1/tenancy/organizations';

export const id = uuidText('must be a uuid');
export const text = z.string().max(200, 'must have at most 200 characters');
export const prose = z.string().max(5_000, 'must have at most 5000 characters');
/** A seeded role, or the uuid of a custom one, in any case. */
export const role = z
  .string()
  .min(1, 'must not be empty')
  .max(100)
  .transform((named): string => uuidOf(named) ?? named);
const accountState = z.enum(['active', 'disabled'], 'must be active or disabled');
export const inCapitals = { active: 'ACTIVE', disabled: 'DISABLED' } as const;

/** Bodies of several routes. */
export const StatusInput = z.object({ status: accountState }).meta({ id: 'StatusInput' });
export const RoleInput = z.object({ role }).meta({ id: 'RoleInput' });
export const AppsInput = z.object({ app_ids: z.array(text.min(1)).max(100) }).meta({ id: 'AppsInput' });
export const MemberInput = z.object({ user_id: id, role }).meta({ id: 'MemberInput' });
export const UserInput = z.object({ user_id: id }).meta({ id: 'UserInput' });

/** The `:orgId` of every path but those of the superseded shapes. */
export const inOrganization = z.object({ orgId: id });
/** The input of every list. */
export const list = z.object({ params: inOrganization, query: OptionalPagination });
