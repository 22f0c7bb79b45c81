import type { Staff } from '@foyer/shared/auth/viewer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import {
  createAdministrator,
  createMember,
  createOrganization,
  createTeam,
  createWorkspace,
} from '../testing/organization-fixture.ts';
import { startTestIdentity, type TestIdentity } from '../testing/test-identity.ts';

let identity: TestIdentity;
beforeAll(async () => {
  identity = await startTestIdentity();
});
afterAll(() => identity.stop());

const removeMember = `mutation ($input: RemoveMemberInput!) { removeMember(input: $input) }`;
const setStatus = `mutation ($input: SetMemberStatusInput!) { setMemberStatus(input: $input) { accountState } }`;

/** Gives somebody a workspace and a team in an organization. */
async function settle(organizationId: Staff['organizationId'], userId: string) {
  await createTeam(identity.db, organizationId, { people: [userId] });
  const workspaceId = await createWorkspace(identity.db, organizationId);
  await identity.db.workspaceMember.create({ data: { workspaceId, userId, role: 'VIEWER' } });
}

/** A guest of an organization, with workspaces and teams there and at home. */
async function aGuest() {
  const { db } = identity;
  const host = await createAdministrator(db);
  const home = await createOrganization(db);
  const guest = await createMember(db, home, 'ORG_MEMBER');
  const role = { role: 'ORG_MEMBER', roleId: 'ORG_MEMBER' };
  await db.organizationMember.create({ data: { organizationId: host.organizationId, userId: guest, ...role } });
  await settle(home, guest);
  await settle(host.organizationId, guest);
  return { host, home, guest };
}

/** The organizations where somebody belongs, and those of their workspaces and teams. */
async function placesOf(userId: string) {
  const where = { userId };
  const { db } = identity;
  const workspaces = await db.workspaceMember.findMany({ where, select: { workspace: true } });
  const teams = await db.teamMember.findMany({ where, select: { team: true } });
  return {
    organizations: (await db.organizationMember.findMany({ where })).map(({ organizationId }) => organizationId),
    workspaces: workspaces.map(({ workspace }) => workspace.organizationId),
    teams: teams.map(({ team }) => team.organizationId),
  };
}
const stateOf = async (id: string) => (await identity.db.authUser.findUnique({ where: { id } }))?.accountState;

describe('a guest, who is a person of another organization', () => {
  it('only leaves when removed, and keeps the account and what they have at home', async () => {
    const { host, home, guest } = await aGuest();
    const input = { organizationId: host.organizationId, userId: guest };

    expect((await identity.ask(removeMember, { input }, { viewer: host })).data).toEqual({ removeMember: guest });

    expect(await placesOf(guest)).toEqual({ organizations: [home], workspaces: [home], teams: [home] });
    expect(await stateOf(guest)).toBe('active');
  });

  it('is not switched off: only their own organization decides on the account', async () => {
    const { host, guest } = await aGuest();
    const input = { organizationId: host.organizationId, userId: guest, status: 'DISABLED' };

    expect((await identity.ask(setStatus, { input }, { viewer: host })).error?.['reason']).toBe('USER_NOT_FOUND');

    expect(await stateOf(guest)).toBe('active');
  });
});
