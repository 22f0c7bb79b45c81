import type { Loss } from '@foyer/shared/auth/rights';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import * as fixture from '../testing/organization-fixture.ts';
import { startTestIdentity, type TestIdentity } from '../testing/test-identity.ts';

let identity: TestIdentity;

beforeAll(async () => {
  identity = await startTestIdentity();
});

afterAll(() => identity.stop());

/** Creates a guest of another organization, who works in its workspace with one of its roles. */
async function guestWith(permissions: readonly string[], through: 'directly' | 'through a team') {
  const { db } = identity;
  const [home, host] = [await fixture.createOrganization(db), await fixture.createOrganization(db)];
  const userId = await fixture.createMember(db, home, 'ORG_MEMBER');
  const workspaceId = await fixture.createWorkspace(db, host);
  const roleId = await fixture.createRole(db, host, 'workspace', permissions);
  if (through === 'directly') await db.workspaceMember.create({ data: { workspaceId, userId, role: roleId } });
  else await fixture.createTeam(db, host, { people: [userId], roles: { [workspaceId]: roleId } });
  return { viewer: await fixture.viewerOf(db, home, userId), roleId, workspaceId };
}

describe('the watch over the rights of a guest', () => {
  it('reports that their role in the other organization grants less', async () => {
    const { viewer, roleId } = await guestWith(['media:view', 'campaign:view'], 'directly');
    const losses: Loss[] = [];
    await identity.subgraph.rights.watch(viewer, (loss) => losses.push(loss));

    await identity.db.rolePermission.deleteMany({ where: { roleId, permission: 'media:view' } });

    await expect.poll(() => losses).toEqual(['changed']);
  });

  it('reports that their team in the other organization has a lower role', async () => {
    const { viewer, roleId, workspaceId } = await guestWith(['media:view'], 'through a team');
    const losses: Loss[] = [];
    await identity.subgraph.rights.watch(viewer, (loss) => losses.push(loss));

    await identity.db.teamWorkspaceRole.updateMany({ where: { workspaceId, roleId }, data: { roleId: 'VIEWER' } });

    await expect.poll(() => losses).toEqual(['changed']);
  });
});
