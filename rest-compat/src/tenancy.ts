import { uuidText } from '@foyer/shared/ids';
import { z } from 'zod';

import type {
  MemberPartsFragment,
  OrganizationPartsFragment,
  PersonPartsFragment,
  RolePartsFragment,
  TeamPartsFragment,
  WorkspacePartsFragment,
} from './generated/operations.ts';
import { OptionalPagination } from '@foyer/shared/pagination';

/** The prefix of the core service's tenancy routes (spec 1, "Core service: identity and tenancy routes"). */
export const tenancy = '/api/v1/tenancy/organizations';

export const id = uuidText('must be a uuid');
export const text = z.string().max(200, 'must have at most 200 characters');
export const prose = z.string().max(5_000, 'must have at most 5000 characters');
/** A seeded role, or the uuid of a custom one. */
export const role = z.string().min(1, 'must not be empty').max(100);
export const accountState = z.enum(['active', 'disabled'], 'must be active or disabled');
export const inCapitals = { active: 'ACTIVE', disabled: 'DISABLED' } as const;

/** The `:orgId` of every path but those of the superseded shapes. */
export const inOrganization = z.object({ orgId: id });
/** The input of every list. */
export const list = z.object({ params: inOrganization, query: OptionalPagination });

/** Maps the nodes of a connection to their REST shape. */
export const nodes = <Node, Shown>({ edges }: { edges: { node: Node }[] }, show: (node: Node) => Shown): Shown[] =>
  edges.map(({ node }) => show(node));

export const ok = (data: unknown) => ({ success: true, data });

export const person = ({ id, username, email, firstName, lastName }: PersonPartsFragment) => ({
  id,
  username,
  email,
  first_name: firstName,
  last_name: lastName,
});

export const organization = (found: OrganizationPartsFragment) => ({
  id: found.id,
  name: found.name,
  status: found.status?.toLowerCase(),
  legal_name: found.legalName,
  website: found.website,
  timezone: found.timezone,
  app_ids: found.apps.map((app) => app.id),
});

export const member = ({ user, role, accountState, joinedAt }: MemberPartsFragment) => ({
  ...person(user),
  role,
  account_state: accountState?.toLowerCase() ?? null,
  joined_at: joinedAt,
});

export const workspace = ({ id, name, description, apps }: WorkspacePartsFragment) => ({
  id,
  name,
  description,
  app_ids: apps.map((app) => app.id),
});

export const directMember = ({
  user,
  role,
  addedAt,
}: {
  user: PersonPartsFragment;
  role: string;
  addedAt: string;
}) => ({
  ...person(user),
  role,
  added_at: addedAt,
});

export const grant = ({ workspace, role }: TeamPartsFragment['workspaces'][number]) => ({
  workspace_id: workspace.id,
  workspace_name: workspace.name,
  role,
});

export const team = ({ id, name, description, workspaces }: TeamPartsFragment) => ({
  id,
  name,
  description,
  workspaces: workspaces.map(grant),
});

export const oneRole = (found: RolePartsFragment) => ({
  id: found.id,
  name: found.name,
  description: found.description,
  scope: found.scope.toLowerCase(),
  is_system: found.isSystem,
  permissions: found.permissions,
  unknown_permissions: found.unknownPermissions,
});
