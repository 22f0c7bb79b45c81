import { demo } from '@foyer/shared/demo';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startTestIdentity, type TestIdentity } from '../testing/test-identity.ts';

let identity: TestIdentity;

beforeAll(async () => {
  identity = await startTestIdentity();
});

afterAll(() => identity.stop());

const unknown = '00000000-0000-4000-8000-000000000009';
const document = `query ($user: ID!, $organization: ID!, $workspace: ID!) {
  user(id: $user) { name email organization { name } }
  organization(id: $organization) { name status apps { id } }
  workspace(id: $workspace) { name organization { name } }
}`;
const idOf = async (email: string) => (await identity.db.authUser.findFirstOrThrow({ where: { email } })).id;
const platformIds = async () => ({
  user: await idOf('admin@foyer.test'),
  organization: demo.platform.organizationId,
  workspace: (await identity.db.workspace.findFirstOrThrow({ where: { organizationId: demo.platform.organizationId } }))
    .id,
});

describe('a record named by its id', () => {
  it('of another organization is answered like one that does not exist', async () => {
    const { accessToken: token } = await identity.loggedIn('orgadmin@acme.test', 'ACME');
    const foreign = await identity.ask(document, await platformIds(), { token });
    const missing = await identity.ask(
      document,
      { user: unknown, organization: unknown, workspace: unknown },
      { token },
    );
    expect(foreign).toEqual(missing);
    expect(foreign.data).toEqual({ user: null, organization: null, workspace: null });
  });

  it('is shown to its own people, and to the platform', async () => {
    const own = {
      user: await idOf('member@acme.test'),
      organization: demo.acme.organizationId,
      workspace: (await identity.db.workspace.findFirstOrThrow({ where: { organizationId: demo.acme.organizationId } }))
        .id,
    };
    for (const [username, companyCode] of [
      ['orgadmin@acme.test', 'ACME'],
      ['admin@foyer.test', 'PLATFORM'],
    ] as const) {
      const { accessToken: token } = await identity.loggedIn(username, companyCode);
      const { data } = await identity.ask(document, own, { token });
      expect(data).toMatchObject({ user: { email: 'member@acme.test' }, organization: { status: 'ACTIVE' } });
    }
  });

  it('is shown by name to somebody who works there as a guest', async () => {
    const { workspace, ...ids } = await platformIds();
    const userId = await idOf('member@acme.test');
    await identity.db.workspaceMember.create({ data: { workspaceId: workspace, userId, role: 'VIEWER' } });
    const { accessToken: token } = await identity.loggedIn('member@acme.test', 'ACME');
    const { data } = await identity.ask(document, { workspace, ...ids }, { token });
    expect(data).toMatchObject({
      user: { name: expect.any(String), email: null, organization: null },
      organization: { name: 'Foyer', status: null, apps: [] },
      workspace: { name: 'Default', organization: { name: 'Foyer' } },
    });
    await identity.db.workspaceMember.deleteMany({ where: { userId } });
  });

  it('takes as many queries for many people as for one', async () => {
    const { accessToken: token } = await identity.loggedIn('orgadmin@acme.test', 'ACME');
    const ids = await identity.db.authUser.findMany({ orderBy: { id: 'asc' } });
    const asking = async (count: number) => {
      const fields = ids.slice(0, count).map(({ id }, index) => `u${index}: user(id: "${id}") { name }`);
      const before = identity.queries.length;
      await identity.ask(`{ ${fields.join(' ')} }`, {}, { token });
      return identity.queries.length - before;
    };
    const once = await asking(2);
    expect(ids.length).toBeGreaterThan(3);
    expect(await asking(ids.length)).toBe(once);
  });
});
