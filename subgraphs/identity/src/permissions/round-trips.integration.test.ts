import { demo } from '@foyer/shared/demo';
import { permitInOrganization, permitInWorkspace } from '@foyer/shared/auth/permissions';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startTestIdentity, type TestIdentity } from '../testing/test-identity.ts';

const me = `{ me { platformRole platformPermissions user { id name email } organization { name role permissions
  workspaces { id name role permissions } } } }`;

describe('what a check costs, in round trips to the database', () => {
  let identity: TestIdentity;
  beforeAll(async () => {
    identity = await startTestIdentity();
  }, 120_000);
  afterAll(() => identity.stop());

  /** Counts the second run: the first may read what is then cached for some seconds. */
  async function count(what: () => Promise<unknown>): Promise<number> {
    await what();
    const before = identity.queries.length;
    await what();
    return identity.queries.length - before;
  }
  const bearer = async (username: string, companyCode: string) =>
    `Bearer ${(await identity.loggedIn(username, companyCode)).accessToken}`;

  it('none for verifying a viewer and checking a permission of an organization', async () => {
    const authorization = await bearer('orgadmin@acme.test', 'ACME');
    const trips = await count(async () => {
      const { viewer } = await identity.subgraph.authenticate({ authorization });
      await permitInOrganization(
        { viewer, permissions: identity.subgraph.permissions },
        demo.acme.organizationId,
        'org:users:invite',
      );
    });
    expect(trips).toBe(0);
  });

  it('one at most for a permission of a workspace', async () => {
    const authorization = await bearer('member@acme.test', 'ACME');
    const trips = await count(async () => {
      const { viewer } = await identity.subgraph.authenticate({ authorization });
      await permitInWorkspace(
        { viewer, permissions: identity.subgraph.permissions },
        demo.acme.workspaceId,
        'catalogue:manage',
      );
    });
    expect(trips).toBeLessThanOrEqual(1);
  });

  it.each([
    ['admin@foyer.test', 'PLATFORM'],
    ['orgadmin@acme.test', 'ACME'],
    ['viewer@acme.test', 'ACME'],
  ])('one for /me of %s', async (username, companyCode) => {
    const { accessToken: token } = await identity.loggedIn(username, companyCode);
    const trips = await count(async () => {
      const { data, error } = await identity.ask(me, {}, { token });
      expect([data !== null, error]).toEqual([true, undefined]);
    });
    expect(trips).toBe(1);
  });

  it('one for a refresh', async () => {
    let { refreshToken } = await identity.loggedIn('member@acme.test', 'ACME');
    const trips = await count(async () => {
      const { data } = await identity.refresh(refreshToken);
      ({ refreshToken } = (data ?? {})['refresh'] as { refreshToken: string });
    });
    expect(trips).toBe(1);
  });

  it('three for a login of a known person, and two for its limits', async () => {
    const trips = await count(() => identity.loggedIn('member@acme.test', 'ACME'));
    expect(trips).toBe(5);
  });
});
