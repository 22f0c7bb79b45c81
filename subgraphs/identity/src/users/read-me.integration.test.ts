import { demo } from '@foyer/shared/demo';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startTestIdentity, type TestIdentity } from '../testing/test-identity.ts';

let identity: TestIdentity;

beforeAll(async () => {
  identity = await startTestIdentity();
});

afterAll(() => identity.stop());

describe('me', () => {
  const meQuery = `{ me { user { email } platformRole platformPermissions
    organization { id name slug role permissions workspaces { name role permissions } } } }`;

  it.each([
    ['orgadmin@acme.test', 'ORG_ADMIN', 23, { 'Acme Main': 33, 'Acme Studio': 33 }],
    ['member@acme.test', 'ORG_MEMBER', 0, { 'Acme Main': 26 }],
    ['viewer@acme.test', 'ORG_MEMBER', 0, { 'Acme Main': 17 }],
  ])('shows %s the role, and the permissions by place', async (email, role, permissions, workspaces) => {
    const { accessToken } = await identity.loggedIn(email, 'ACME');

    const me = (await identity.ask(meQuery, {}, { token: accessToken })).data?.['me'] as {
      organization: { role: string; permissions: string[]; workspaces: { name: string; permissions: string[] }[] };
    };

    expect(me).toMatchObject({ user: { email }, platformRole: null });
    expect([me.organization.role, me.organization.permissions.length]).toEqual([role, permissions]);
    expect(Object.fromEntries(me.organization.workspaces.map((one) => [one.name, one.permissions.length]))).toEqual(
      workspaces,
    );
  });

  it('makes the first administrator the owner of the platform', async () => {
    const { accessToken } = await identity.loggedIn('admin@foyer.test', 'PLATFORM');

    const { data } = await identity.ask(meQuery, {}, { token: accessToken });

    expect(data?.['me']).toMatchObject({
      platformRole: 'PLATFORM_OWNER',
      organization: {
        id: demo.platform.organizationId,
        role: 'ORG_ADMIN',
        workspaces: [{ name: 'Default', role: 'WORKSPACE_ADMIN' }],
      },
    });
  });

  it('shows a stranger nothing of an organization', async () => {
    const document = `query ($id: ID!) { organization(id: $id) { name status workspaces { name } } }`;
    const { accessToken } = await identity.loggedIn('admin@foyer.test', 'PLATFORM');
    const member = await identity.loggedIn('member@acme.test', 'ACME');

    const byPlatform = await identity.ask(document, { id: demo.acme.organizationId }, { token: accessToken });
    const byStranger = await identity.ask(
      document,
      { id: '0a0c0000-0000-4000-8000-000000000002' },
      { token: member.accessToken },
    );
    const nonsense = await identity.ask(document, { id: 'nonsense' }, { token: member.accessToken });

    expect(byPlatform.data?.['organization']).toMatchObject({
      status: 'ACTIVE',
      workspaces: [{ name: 'Acme Main' }, { name: 'Acme Studio' }],
    });
    expect(byStranger.data?.['organization']).toBeNull();
    expect(nonsense).toMatchObject({ data: { organization: null }, error: undefined });
  });
});

describe('me as a client names it', () => {
  const asNamed = `query ($userId: ID, $organizationId: ID, $workspaceId: ID) {
    meIfSignedIn(userId: $userId, organizationId: $organizationId, workspaceId: $workspaceId) { user { id email } } }`;
  const { acme, platform } = demo;
  const named = async (email: string, code: string, variables: Record<string, unknown>) => {
    const { accessToken: token } = await identity.loggedIn(email, code);
    const { data, error } = await identity.ask(asNamed, variables, { token });
    return error?.['code'] ?? data?.['meIfSignedIn'];
  };

  it('is refused when the token is of another person, or of another organization or workspace than the named one', async () => {
    const { id } = await identity.db.user.findFirstOrThrow({ where: { email: 'orgadmin@acme.test' } });
    const { id: theirs } = await identity.db.workspace.findFirstOrThrow({
      where: { organizationId: platform.organizationId },
    });

    for (const mismatch of [
      { userId: id },
      { organizationId: platform.organizationId },
      { organizationId: acme.organizationId, workspaceId: theirs },
      { workspaceId: '0a0c0000-0000-4000-8000-0000000000ee' }, // there is none
    ])
      expect(await named('member@acme.test', 'ACME', mismatch)).toBe('FORBIDDEN');
    expect(await named('admin@foyer.test', 'PLATFORM', { organizationId: acme.organizationId })).toBe('FORBIDDEN');
  });

  it('is shown when the client names what the token says, and any workspace of that organization', async () => {
    const { id } = await identity.db.user.findFirstOrThrow({ where: { email: 'member@acme.test' } });
    const { organizationId, studioWorkspaceId: workspaceId } = acme;

    expect(await named('member@acme.test', 'ACME', { userId: id, organizationId, workspaceId })).toMatchObject({
      user: { id },
    });
  });

  it('is shown to a guest who names the organization and the workspace where they are one', async () => {
    const { id: userId } = await identity.db.user.findFirstOrThrow({ where: { email: 'admin@foyer.test' } });
    const { organizationId, workspaceId, studioWorkspaceId } = acme;
    const guest = { workspaceId, userId, role: 'WORKSPACE_ADMIN' };
    await identity.db.workspaceMember.create({ data: guest });

    const me = { user: { id: userId } };
    expect(await named('admin@foyer.test', 'PLATFORM', { organizationId, workspaceId })).toMatchObject(me);
    expect(await named('admin@foyer.test', 'PLATFORM', { workspaceId: studioWorkspaceId })).toBe('FORBIDDEN');
  });

  it('is nobody for a client without a token, whatever it names', async () => {
    const { data } = await identity.ask(asNamed, { organizationId: platform.organizationId });
    expect(data).toEqual({ meIfSignedIn: null });
  });
});

describe('starting again', () => {
  it('changes nothing', async () => {
    const count = async () =>
      Promise.all([
        identity.db.user.count(),
        identity.db.authUser.count(),
        identity.db.role.count(),
        identity.db.rolePermission.count(),
        identity.db.organization.count(),
        identity.db.workspace.count(),
      ]);
    const before = await count();

    await identity.subgraph.startUp();

    expect(await count()).toEqual(before);
    expect(before.slice(2)).toEqual([13, 142, 7, 9]);
  });
});
