import { createGrownDatabase, idInRow, idOf, type GrownDatabase } from '@foyer/prisma/testing/grown-database';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { readerOf } from '../testing/reader.ts';
import { listRoleMembers } from './list-role-members.ts';
import { listRoles } from './list-roles.ts';

let database: GrownDatabase;

beforeAll(async () => {
  database = await createGrownDatabase({
    'tenancy.organizations': { id: idInRow('o'), name: 'n', updated_at: 'now()' },
    // An organization has some roles of its own.
    'tenancy.roles': {
      id: `md5('r' || n)::uuid::text`,
      organization_id: `CASE WHEN n > 10 THEN ${idInRow('o', 2_000)} END`,
      scope: `CASE WHEN n % 2 = 1 THEN 'organization' ELSE 'workspace' END::tenancy.role_scope`,
      name: 'n',
      is_system: 'n <= 10',
      updated_at: 'now()',
    },
    'tenancy.role_permissions': { role_id: `md5('r' || n)::uuid::text`, permission: `'media:view'` },
    'tenancy.organization_members': {
      organization_id: idInRow('o', 100),
      user_id: idInRow('u'),
      role: `md5('r' || n / 100 % 10 + 1)::uuid::text`,
      role_id: `md5('r' || n / 100 % 10 + 1)::uuid::text`,
    },
    'tenancy.workspaces': { id: idInRow('w'), organization_id: idInRow('o', 2_000), name: 'n', updated_at: 'now()' },
    'tenancy.workspace_members': {
      workspace_id: idInRow('w', 200),
      user_id: idInRow('u'),
      role: `md5('r' || n % 10 + 1)::uuid::text`,
    },
  });
}, 60_000);
afterAll(() => database.drop());

const organizationId = idOf('o7');

it('the roles of an organization are found by an index', async () => {
  expect(await database.planOf((db, page) => listRoles(readerOf(db, { organizationId }), page))).toEqual([
    'organizations_pkey',
    'role_permissions_pkey',
    'roles_organization_id_scope_name_key',
  ]);
});

it.each([
  [
    'the organization',
    'r9',
    ['organization_members_organization_id_role_id_user_id_idx', 'organizations_pkey', 'roles_pkey'],
  ],
  [
    'a workspace',
    'r8',
    [
      'organizations_pkey',
      'roles_pkey',
      'workspace_members_workspace_id_role_user_id_idx',
      'workspaces_organization_id_id_idx',
    ],
  ],
])('the people with a role in %s are found by an index', async (_where, role, indexes) => {
  const list = { roleId: idOf(role) };
  expect(
    await database.planOf((db, page) => listRoleMembers(readerOf(db, { organizationId }), { ...list, ...page })),
  ).toEqual(indexes);
});
