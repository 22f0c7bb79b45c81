import { demo } from '@foyer/shared/demo';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startScratchIdentity, type ScratchIdentity } from '../testing/scratch-identity.ts';

let house: ScratchIdentity;

beforeAll(async () => {
  house = await startScratchIdentity();
});

afterAll(() => house.stop());

describe('who am I', () => {
  const meQuery = `{ me { user { email } platformRole platformPermissions
    organization { id name slug role permissions workspaces { name role permissions } } } }`;

  it.each([
    ['orgadmin@acme.test', 'ORG_ADMIN', 23, { 'Acme Main': 33, 'Acme Studio': 33 }],
    ['member@acme.test', 'ORG_MEMBER', 0, { 'Acme Main': 26 }],
    ['viewer@acme.test', 'ORG_MEMBER', 0, { 'Acme Main': 17 }],
  ])('tells %s the role, and what may be done where', async (email, role, permissions, workspaces) => {
    const { accessToken } = await house.signedIn(email, 'ACME');

    const me = (await house.ask(meQuery, {}, { token: accessToken })).data?.['me'] as {
      organization: { role: string; permissions: string[]; workspaces: { name: string; permissions: string[] }[] };
    };

    expect(me).toMatchObject({ user: { email }, platformRole: null });
    expect([me.organization.role, me.organization.permissions.length]).toEqual([role, permissions]);
    expect(Object.fromEntries(me.organization.workspaces.map((one) => [one.name, one.permissions.length]))).toEqual(
      workspaces,
    );
  });

  it('makes the first administrator the owner of the platform', async () => {
    const { accessToken } = await house.signedIn('admin@foyer.test', 'PLATFORM');

    const { data } = await house.ask(meQuery, {}, { token: accessToken });

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
    const { accessToken } = await house.signedIn('admin@foyer.test', 'PLATFORM');
    const member = await house.signedIn('member@acme.test', 'ACME');

    const byPlatform = await house.ask(document, { id: demo.acme.organizationId }, { token: accessToken });
    const byStranger = await house.ask(
      document,
      { id: '0a0c0000-0000-4000-8000-000000000002' },
      { token: member.accessToken },
    );
    const nonsense = await house.ask(document, { id: 'nonsense' }, { token: member.accessToken });

    expect(byPlatform.data?.['organization']).toMatchObject({
      status: 'ACTIVE',
      workspaces: [{ name: 'Acme Main' }, { name: 'Acme Studio' }],
    });
    expect(byStranger.data?.['organization']).toBeNull();
    expect(nonsense).toMatchObject({ data: { organization: null }, error: undefined });
  });
});

describe('starting again', () => {
  it('changes nothing', async () => {
    const count = async () =>
      Promise.all([
        house.db.user.count(),
        house.db.authUser.count(),
        house.db.role.count(),
        house.db.rolePermission.count(),
        house.db.organization.count(),
        house.db.workspace.count(),
      ]);
    const before = await count();

    await house.identity.startUp();

    expect(await count()).toEqual(before);
    expect(before.slice(2)).toEqual([13, 142, 7, 9]);
  });
});
