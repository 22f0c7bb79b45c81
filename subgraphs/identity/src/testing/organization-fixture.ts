import { newId, type Id } from '@foyer/shared/ids';
import type { Staff } from '@foyer/shared/auth/viewer';

import type { TestIdentity } from './test-identity.ts';

type Database = TestIdentity['db'];

/** Creates an organization in the database only: the identity provider does not know its people. */
export async function createOrganization(db: Database): Promise<Id> {
  const id = newId();
  await db.authOrganization.create({
    data: { id, idpOrgId: id, name: id, slug: id, companyCode: id.toUpperCase(), status: 'active' },
  });
  await db.organization.create({ data: { id, name: id } });
  return id;
}

/** Creates a custom role. */
export async function createRole(
  db: Database,
  organizationId: Id,
  scope: 'organization' | 'workspace',
  permissions: readonly string[],
): Promise<string> {
  const id = newId();
  const granted = { create: permissions.map((permission) => ({ permission })) };
  await db.role.create({ data: { id, organizationId, scope, name: id, permissions: granted } });
  return id;
}

/** Creates an active member with a role. */
export async function createMember(db: Database, organizationId: Id, roleId: string): Promise<Id> {
  const id = newId();
  const names = { username: id, email: `${id}@fixture.test` };
  await db.authUser.create({ data: { id, idpUserId: id, orgId: organizationId, ...names } });
  await db.user.create({ data: { id, organizationId, ...names } });
  await db.organizationMember.create({ data: { organizationId, userId: id, role: roleId, roleId } });
  return id;
}

/** Creates a workspace. */
export const createWorkspace = async (db: Database, organizationId: Id): Promise<Id> =>
  (await db.workspace.create({ data: { organizationId, name: 'A workspace' } })).id;

/** Creates a team with these people, and a role in each of these workspaces. */
export async function createTeam(
  db: Database,
  organizationId: Id,
  has: { people?: readonly string[]; roles?: Readonly<Record<string, string>> } = {},
): Promise<Id> {
  const { id: teamId } = await db.team.create({ data: { organizationId, name: 'A team' } });
  await db.teamMember.createMany({ data: (has.people ?? []).map((userId) => ({ teamId, userId })) });
  const roles = Object.entries(has.roles ?? {}).map(([workspaceId, roleId]) => ({ teamId, workspaceId, roleId }));
  await db.teamWorkspaceRole.createMany({ data: roles });
  return teamId;
}

/** The viewer of a member who has just logged in. */
export async function viewerOf(db: Database, organizationId: Id, userId: Id): Promise<Staff> {
  const { role } = await db.organizationMember.findUniqueOrThrow({
    where: { organizationId_userId: { organizationId, userId } },
  });
  const ids = { idpUserId: userId, sessionId: userId, tokenId: userId };
  return {
    kind: 'staff',
    userId,
    organizationId,
    organizationSlug: 'fixture',
    role,
    ...ids,
    issuedAt: 0,
    expiresAt: 0,
  };
}

/** The viewer of an administrator of an organization of its own. */
export async function createAdministrator(db: Database): Promise<Staff> {
  const organizationId = await createOrganization(db);
  return viewerOf(db, organizationId, await createMember(db, organizationId, 'ORG_ADMIN'));
}
