import { demo } from '@foyer/shared/demo';

import { inWorkspace, middleOf, ofAcme, organizationId, workspaceId, type List, type Reader } from './list.ts';

const by = (name: string, field: string, given: string, node: string, middle: string, as: Reader = 'administrator') =>
  ({ name, as, field, arguments: given, node, middle, plainCursor: true, counted: true }) satisfies List;

export const identityLists: List[] = [
  by(
    'members of an organization',
    'members',
    '',
    'role user { id name }',
    middleOf('user_id', `FROM tenancy.organization_members WHERE ${ofAcme}`, 'user_id'),
  ),
  by(
    'members of a workspace',
    'workspaceMembers',
    `workspaceId: "${workspaceId}"`,
    'role user { id name }',
    middleOf('user_id', `FROM tenancy.workspace_members WHERE ${inWorkspace}`, 'user_id'),
  ),
  by(
    'members of a team',
    'teamMembers',
    `teamId: "${demo.acme.teamId}"`,
    'role user { id name }',
    middleOf('user_id', `FROM tenancy.team_members WHERE team_id = '${demo.acme.teamId}'`, 'user_id'),
  ),
  by(
    'members with a rare role',
    'roleMembers',
    'roleId: "ORG_ADMIN"',
    'user { id name }',
    middleOf('user_id', `FROM tenancy.organization_members WHERE ${ofAcme} AND role_id = 'ORG_ADMIN'`, 'user_id'),
  ),
  by('teams', 'teams', '', 'id name', middleOf('id', `FROM tenancy.teams WHERE ${ofAcme}`, 'id')),
  by('workspaces', 'workspaces', '', 'id name', middleOf('id', `FROM tenancy.workspaces WHERE ${ofAcme}`, 'id')),
  by(
    'roles',
    'roles',
    '',
    'id name permissions',
    middleOf('id', `FROM tenancy.roles WHERE scope <> 'platform' AND (${ofAcme} OR is_system)`, 'id'),
  ),
  by(
    'sessions',
    'sessions',
    '',
    'id device current',
    middleOf(
      's.id',
      `FROM auth.refresh_sessions s JOIN auth.users u ON u.id = s.user_id WHERE u.email = 'orgadmin@acme.test'`,
      's.id',
    ),
  ),
  by('organizations', 'organizations', '', 'id name', middleOf('id', 'FROM tenancy.organizations', 'id'), 'platform'),
  by(
    'audit log',
    'auditLog',
    `organizationId: "${organizationId}"`,
    'at action result',
    middleOf('id', `FROM auth.audit_log WHERE ${ofAcme}`, 'id DESC'),
  ),
  by(
    'audit log, a rare action',
    'auditLog',
    `organizationId: "${organizationId}", action: "team.created"`,
    'at action result',
    middleOf('id', `FROM auth.audit_log WHERE ${ofAcme} AND action = 'team.created'`, 'id DESC'),
  ),
];
