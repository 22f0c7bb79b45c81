import type { Staff } from '@foyer/shared/auth/viewer';
import { newId } from '@foyer/shared/ids';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { createAdministrator, createRole } from '../testing/organization-fixture.ts';
import { startTestIdentity, type TestIdentity } from '../testing/test-identity.ts';

let identity: TestIdentity;
let viewer: Staff;

beforeAll(async () => {
  identity = await startTestIdentity();
  viewer = await createAdministrator(identity.db);
});

afterAll(() => identity.stop());

const ask = (document: string, input: object) =>
  identity.ask(document, { input: { organizationId: viewer.organizationId, ...input } }, { viewer });
const create = (name: string, scope: 'ORGANIZATION' | 'WORKSPACE') =>
  ask('mutation ($input: CreateRoleInput!) { createRole(input: $input) { id } }', { name, scope, permissions: [] });
const rename = (roleId: string, name: string) =>
  ask('mutation ($input: UpdateRoleInput!) { updateRole(input: $input) { name } }', { roleId, name });

it.each([
  ['ORG_MEMBER', 'ORGANIZATION'],
  ['ORG_OWNER', 'WORKSPACE'],
  ['VIEWER', 'WORKSPACE'],
  ['PLATFORM_OWNER', 'ORGANIZATION'],
] as const)(
  'no role of an organization is called %s, which people would take for the seeded one',
  async (name, scope) => {
    expect((await create(name, scope)).error).toMatchObject({ reason: 'ROLE_NAME_TAKEN' });
    const roleId = await createRole(identity.db, viewer.organizationId, 'workspace', []);
    expect((await rename(roleId, name)).error).toMatchObject({ reason: 'ROLE_NAME_TAKEN' });
  },
);

it('a role that has such a name already may keep it', async () => {
  const { id } = await identity.db.role.create({
    data: { id: newId(), organizationId: viewer.organizationId, scope: 'workspace', name: 'VIEWER' },
  });
  expect((await rename(id, 'VIEWER')).error).toBeUndefined();
});
