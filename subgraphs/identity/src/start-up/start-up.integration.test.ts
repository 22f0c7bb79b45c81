import type { PrismaClient } from '@foyer/prisma/client';
import { describe, expect, it } from 'vitest';

import { seededRoles } from '../permissions/catalog.ts';
import { PLATFORM_ORGANIZATION_ID } from '../tenancy/platform-organization.ts';
import { platform, startUpFixture } from '../testing/start-up-fixture.ts';

const { aStore, atProvider, emptyStore, start } = startUpFixture();
const somewhere = '0a0c0000-0000-4000-8000-00000000ffff';

/** The content of all tables, as text: two starts must leave the same. */
async function contents(db: PrismaClient) {
  const tables = await db.$queryRaw<{ name: string }[]>`
    SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname IN ('auth', 'tenancy')`;
  const rows: Record<string, unknown> = {};
  for (const { name } of tables) {
    rows[name] = await db.$queryRawUnsafe(`SELECT t::text AS row FROM ${name} t ORDER BY 1`);
  }
  return rows;
}

const platformRecord = (db: PrismaClient) =>
  db.authOrganization.findUniqueOrThrow({ where: { id: PLATFORM_ORGANIZATION_ID }, include: { users: true } });

describe('the start-up sequence on an empty store', () => {
  it('changes nothing when it runs again', async () => {
    const db = await emptyStore();
    const all = { ticketingWorkspaceId: somewhere, demoPassword: 'Foyer-demo-1' };
    await start(db, all);
    const after = await contents(db);

    await start(db, all);

    expect(await contents(db)).toEqual(after);
  });

  it('is taken by one process at a time: two that start at once do not clash', async () => {
    const open = await aStore();
    const [db, ...others] = [open(), open(), open()];
    const all = { ticketingWorkspaceId: somewhere, demoPassword: 'Foyer-demo-1' };

    await Promise.all([db, ...others].map((each) => start(each, all)));

    expect(await db.platformMember.count()).toBe(1);
    expect(await db.workspace.count({ where: { name: 'Default' } })).toBe(1);
    expect((await platformRecord(db)).users).toHaveLength(1);
  });
});

describe('step 2: the record of the platform organization', () => {
  it('has the fixed id and the configured name', async () => {
    const db = await emptyStore();
    await start(db);
    expect(await platformRecord(db)).toMatchObject({
      id: '00000000-0000-0000-0000-000000000001',
      name: 'Our platform',
      status: 'active',
    });
  });

  it('skips when the record exists', async () => {
    const db = await emptyStore();
    await start(db);
    await start(db, { platform: { ...platform, name: 'Another name' } });
    expect(await platformRecord(db)).toMatchObject({ name: 'Our platform' });
  });
});

describe('step 3: bootstrap', () => {
  it('links the organization found by name and the administrator found by login name, and sets the company code', async () => {
    const db = await emptyStore();
    await start(db);

    const [organization, [admin]] = await Promise.all([
      atProvider().findOrganization({ name: 'Foyer' }),
      atProvider().findUsers('admin@foyer.test'),
    ]);
    expect(await platformRecord(db)).toMatchObject({
      idpOrgId: organization?.id,
      companyCode: 'HOME',
      users: [{ idpUserId: admin?.id, accountState: 'active', email: 'admin@foyer.test' }],
    });
  });

  it('rule 4: skips when the platform organization has any user, whoever is configured now', async () => {
    const db = await emptyStore();
    await start(db);
    const before = await platformRecord(db);

    await start(db, { platform: { ...platform, adminLoginName: 'somebody@else.test', companyCode: 'OTHER' } });

    expect(await platformRecord(db)).toEqual(before);
  });

  it('waits for the human of step 0: it links nothing, and the next start does', async () => {
    const db = await emptyStore();
    await start(db, { platform: { ...platform, idpOrgName: 'Not made yet' } });
    expect(await platformRecord(db)).toMatchObject({ idpOrgId: null, users: [] });
    expect(await db.platformMember.count()).toBe(0);

    await start(db);

    expect((await platformRecord(db)).users).toHaveLength(1);
    expect(await db.platformMember.count()).toBe(1);
  });

  it('rule 1: succeeds also when the administrator is no member of the platform organization', async () => {
    const db = await emptyStore();
    const elsewhere = await atProvider().createOrganization('Elsewhere');
    const email = 'stranger@foyer.test';
    const person = { organizationId: elsewhere, username: email, email, givenName: 'Str', familyName: 'Anger' };
    const idpUserId = await atProvider().createUser({ ...person, password: 'Foyer-demo-1' });

    await start(db, { platform: { ...platform, adminLoginName: email } });

    expect((await platformRecord(db)).users).toMatchObject([{ idpUserId }]);
  });
});

describe('step 6: the core seed', () => {
  it('brings 13 roles with their grants, the apps, 6 organizations, 8 workspaces and a team', async () => {
    const db = await emptyStore();
    await start(db);

    const roles = await db.role.findMany({ include: { permissions: true } });
    expect(roles).toHaveLength(13);
    for (const { id, isSystem, permissions } of roles) {
      expect(isSystem).toBe(true);
      expect(new Set(permissions.map(({ permission }) => permission))).toEqual(seededRoles.get(id)?.permissions);
    }
    expect(await db.app.count()).toBeGreaterThan(0);
    expect(await db.organization.count({ where: { id: { not: PLATFORM_ORGANIZATION_ID } } })).toBe(6);
    expect(await db.workspace.count({ where: { organizationId: { not: PLATFORM_ORGANIZATION_ID } } })).toBe(8);
    expect(await db.team.count()).toBe(1);
  });

  it('skips while its fingerprint is unchanged', async () => {
    const db = await emptyStore();
    await start(db);
    await db.rolePermission.deleteMany({ where: { roleId: 'VIEWER' } });

    await start(db);

    expect(await db.rolePermission.count({ where: { roleId: 'VIEWER' } })).toBe(0);
  });

  it('rule 3: only inserts: new grants come, nothing is updated or removed, custom roles stay as they are', async () => {
    const db = await emptyStore();
    await start(db);
    const organizationId = (await db.organization.findFirstOrThrow({ where: { name: 'Acme Attractions' } })).id;
    await db.organization.update({ where: { id: organizationId }, data: { name: 'Renamed' } });
    await db.rolePermission.create({ data: { roleId: 'VIEWER', permission: 'something:more' } });
    await db.rolePermission.delete({
      where: { roleId_permission: { roleId: 'VIEWER', permission: 'catalogue:manage' } },
    });
    await db.role.create({ data: { id: somewhere, organizationId, scope: 'workspace', name: 'Ours' } });
    await db.seedFingerprint.update({ where: { seed: 'core' }, data: { fingerprint: 'of an older version' } });

    await start(db);

    const grants = await db.rolePermission.findMany({ where: { roleId: 'VIEWER' } });
    expect(grants.map(({ permission }) => permission)).toEqual(
      expect.arrayContaining(['catalogue:manage', 'something:more']),
    );
    expect(await db.organization.findUniqueOrThrow({ where: { id: organizationId } })).toMatchObject({
      name: 'Renamed',
    });
    expect(await db.rolePermission.count({ where: { roleId: somewhere } })).toBe(0);
  });
});

describe('step 7: the platform seed', () => {
  it('makes the first platform user PLATFORM_OWNER and ORG_ADMIN, with a workspace named Default', async () => {
    const db = await emptyStore();
    await start(db);

    const [user] = (await platformRecord(db)).users;
    expect(await db.platformMember.findMany()).toMatchObject([{ userId: user?.id, roleId: 'PLATFORM_OWNER' }]);
    expect(await db.organizationMember.findMany({ where: { userId: user?.id ?? '' } })).toMatchObject([
      { organizationId: PLATFORM_ORGANIZATION_ID, role: 'ORG_ADMIN', roleId: 'ORG_ADMIN' },
    ]);
    expect(await db.workspace.findMany({ where: { organizationId: PLATFORM_ORGANIZATION_ID } })).toMatchObject([
      { name: 'Default' },
    ]);
  });

  it('skips when there is any platform member', async () => {
    const db = await emptyStore();
    await start(db);
    await db.platformMember.updateMany({ data: { roleId: 'PLATFORM_SUPPORT' } });

    await start(db);

    expect(await db.platformMember.findMany()).toMatchObject([{ roleId: 'PLATFORM_SUPPORT' }]);
    expect(await db.workspace.count({ where: { name: 'Default' } })).toBe(1);
  });

  it('only warns when it fails: the steps after it are taken', async () => {
    const db = await emptyStore();
    await start(db);
    await db.platformMember.deleteMany();
    await db.user.deleteMany(); // an owner needs a record in the core service

    await start(db, { ticketingWorkspaceId: somewhere });

    expect(await db.platformMember.count()).toBe(0);
    expect(await db.workspace.findUnique({ where: { id: somewhere } })).not.toBeNull();
  });
});

describe('step 8: the ticketing workspace', () => {
  it('skips while no id is configured', async () => {
    const db = await emptyStore();
    await start(db);
    expect(await db.workspace.count({ where: { name: 'Ticketing' } })).toBe(0);
  });

  it('makes every platform member its WORKSPACE_ADMIN, once: later members are not added', async () => {
    const db = await emptyStore();
    await start(db, { ticketingWorkspaceId: somewhere });
    const [owner] = await db.platformMember.findMany();
    const admins = () => db.workspaceMember.findMany({ where: { workspaceId: somewhere } });
    expect(await admins()).toMatchObject([{ userId: owner?.userId, role: 'WORKSPACE_ADMIN' }]);

    await db.workspaceMember.deleteMany({ where: { workspaceId: somewhere } });
    await start(db, { ticketingWorkspaceId: somewhere });

    expect(await admins()).toEqual([]);
  });
});
