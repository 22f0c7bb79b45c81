import { demo } from '@foyer/shared/demo';
import { newId, readId, type Id } from '@foyer/shared/ids';
import { permitInOrganization, permitInWorkspace, permitOnPlatform } from '@foyer/shared/auth/permissions';
import type { Staff } from '@foyer/shared/auth/viewer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startTestIdentity, type TestIdentity } from '../testing/test-identity.ts';
import { catalog, seededRoles } from './catalog.ts';

const { organizationId, workspaceId, studioWorkspaceId, teamId } = demo.acme;

let identity: TestIdentity;

beforeAll(async () => {
  identity = await startTestIdentity();
});

afterAll(() => identity.stop());

/** Creates a person in Acme with this live role, which is also in the token unless a test changes it. */
async function someone(role: string): Promise<Staff> {
  const id = newId();
  const user = { id, organizationId, email: `${id}@acme.test`, username: id };
  await identity.db.user.create({ data: user });
  await identity.db.organizationMember.create({ data: { organizationId, userId: id, role, roleId: role } });
  return {
    kind: 'staff',
    userId: id,
    idpUserId: id,
    organizationId,
    organizationSlug: 'acme',
    role,
    sessionId: id,
    tokenId: id,
    issuedAt: 0,
    expiresAt: 0,
  };
}

async function customRole(scope: 'organization' | 'workspace', permissions: string[]): Promise<string> {
  const id = newId();
  await identity.db.role.create({
    data: {
      id,
      organizationId,
      scope,
      name: id,
      permissions: { create: permissions.map((permission) => ({ permission })) },
    },
  });
  return id;
}

const needs = (viewer: Staff) => ({ viewer, permissions: identity.subgraph.permissions });
const inWorkspace = async (viewer: Staff, id: Id = workspaceId) =>
  (await identity.subgraph.permissions.inWorkspace(viewer, id))?.permissions.size;

describe('a permission on the platform', () => {
  it.each([...seededRoles.values()].filter(({ scope }) => scope === 'platform'))(
    'comes from the live platform membership: $id',
    async ({ id, permissions }) => {
      const viewer = await someone('ORG_MEMBER');
      await expect(permitOnPlatform(needs(viewer), 'platform:apps:platformconsole:access')).rejects.toMatchObject({
        code: 'FORBIDDEN',
      });

      await identity.db.platformMember.create({ data: { userId: viewer.userId, roleId: id } });

      expect(await identity.subgraph.permissions.onPlatform(viewer)).toEqual(permissions);
    },
  );
});

describe('a permission in an organization', () => {
  it('comes from the role of the token: a change is stale until the next refresh', async () => {
    const viewer = await someone('ORG_ADMIN');
    await identity.db.organizationMember.updateMany({
      where: { userId: viewer.userId },
      data: { role: 'ORG_MEMBER', roleId: 'ORG_MEMBER' },
    });

    await expect(permitInOrganization(needs(viewer), organizationId, 'org:users:invite')).resolves.toBeTruthy();
    const refreshed = { ...viewer, role: 'ORG_MEMBER' };
    await expect(permitInOrganization(needs(refreshed), organizationId, 'org:users:invite')).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
  });

  it('needs the token to be for that very organization', async () => {
    const viewer = await someone('ORG_OWNER');
    const other = readId('0a0c0000-0000-4000-8000-000000000002');
    await expect(permitInOrganization(needs(viewer), other, 'org:users:invite')).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
  });

  it('is none for the role `member`, which replaces a role that could not be read', async () => {
    const viewer = { ...(await someone('ORG_ADMIN')), role: 'member' };
    expect((await identity.subgraph.permissions.inOrganization(viewer, organizationId)).size).toBe(0);
  });

  it('comes from a custom role of that organization, as far as the catalog knows it', async () => {
    const viewer = await someone(await customRole('organization', ['org:users:view', 'org:fly', 'media:upload']));
    expect([...(await identity.subgraph.permissions.inOrganization(viewer, organizationId))]).toEqual([
      'org:users:view',
    ]);
  });
});

describe('a permission in a workspace', () => {
  it('is every one for the live literal roles ORG_OWNER and ORG_ADMIN, whatever the token says', async () => {
    for (const role of ['ORG_OWNER', 'ORG_ADMIN'])
      expect(await inWorkspace({ ...(await someone(role)), role: 'ORG_MEMBER' })).toBe(catalog.workspace.length);
    expect(await inWorkspace({ ...(await someone('ORG_MEMBER')), role: 'ORG_ADMIN' })).toBe(0);
  });

  it('is not granted by a custom organization role, even one that holds every permission', async () => {
    const role = await customRole(
      'organization',
      [...catalog.organization, ...catalog.workspace].map(({ key }) => key),
    );
    const viewer = await someone(role);
    expect((await identity.subgraph.permissions.inOrganization(viewer, organizationId)).size).toBe(25);
    expect(await inWorkspace(viewer)).toBe(0);
  });

  it('is the union of the direct role and those of teams, from live records, at once', async () => {
    const viewer = await someone('ORG_MEMBER');
    expect(await inWorkspace(viewer)).toBe(0);

    await identity.db.teamMember.create({ data: { teamId, userId: viewer.userId } });
    expect(await inWorkspace(viewer)).toBe(seededRoles.get('VIEWER')?.permissions.size);
    expect(await inWorkspace(viewer, studioWorkspaceId)).toBe(0);

    const second = await identity.db.team.create({ data: { organizationId, name: 'Second' } });
    const role = await customRole('workspace', ['payments:manage', 'no:such']);
    await identity.db.teamWorkspaceRole.create({ data: { teamId: second.id, workspaceId, roleId: role } });
    await identity.db.teamMember.create({ data: { teamId: second.id, userId: viewer.userId } });
    const rights = await identity.subgraph.permissions.inWorkspace(viewer, workspaceId);
    expect(rights?.permissions).toEqual(seededRoles.get('VIEWER')?.permissions.union(new Set(['payments:manage'])));

    await identity.db.teamMember.deleteMany({ where: { userId: viewer.userId } });
    expect(await inWorkspace(viewer)).toBe(0);
  });

  it('ignores the organization of the token: live records decide (deviation 20)', async () => {
    const viewer = { ...(await someone('ORG_ADMIN')), organizationId: demo.platform.organizationId };
    await expect(permitInWorkspace(needs(viewer), workspaceId, 'payments:manage')).resolves.toEqual({
      organizationId,
      workspaceId,
    });
  });
});

describe('staff at an open route', () => {
  const opened = ['campaign:view'];
  const holdsAt = async (viewer: Staff, id: Id) =>
    (await identity.subgraph.permissions.inWorkspace(viewer, id))?.permissions.has('campaign:view');

  it('have its permissions for everybody, besides their own', async () => {
    const viewer = await someone('ORG_MEMBER');
    expect(await holdsAt(viewer, workspaceId)).toBe(false);
    expect(await holdsAt({ ...viewer, opening: { permissions: opened } }, workspaceId)).toBe(true);

    const claiming = { ...viewer, opening: { permissions: opened, organizationId, workspaceId } };
    expect(await holdsAt(claiming, workspaceId)).toBe(true);
    expect(await holdsAt(claiming, studioWorkspaceId)).toBe(false);
    await expect(permitInOrganization(needs(claiming), organizationId, 'campaign:view')).resolves.toBeDefined();
    await expect(permitInOrganization(needs(claiming), organizationId, 'org:manage')).rejects.toBeDefined();
  });

  it('get nothing by naming another organization than that of their token', async () => {
    const viewer = { ...(await someone('ORG_MEMBER')), organizationId: demo.platform.organizationId };
    const claiming = { ...viewer, opening: { permissions: opened, organizationId, workspaceId } };
    expect(await holdsAt(claiming, workspaceId)).toBe(false);
    await expect(permitInOrganization(needs(claiming), organizationId, 'campaign:view')).rejects.toBeDefined();
  });
});
