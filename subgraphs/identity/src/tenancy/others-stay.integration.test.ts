import { demo } from '@foyer/shared/demo';
import type { Id } from '@foyer/shared/ids';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createAdministrator, createMember, createTeam, createWorkspace } from '../testing/organization-fixture.ts';
import { startTestIdentity, type TestIdentity } from '../testing/test-identity.ts';

let identity: TestIdentity;
let operator: string;
beforeAll(async () => {
  identity = await startTestIdentity();
  operator = (await identity.loggedIn('admin@foyer.test', demo.platform.companyCode)).accessToken;
});
afterAll(() => identity.stop());

const setOrganizationApps = `mutation ($input: SetOrganizationAppsInput!) { setOrganizationApps(input: $input) { id } }`;
const setWorkspaceApps = `mutation ($input: SetWorkspaceAppsInput!) { setWorkspaceApps(input: $input) { id } }`;
const mapEmailUsage = `mutation ($id: ID!) {
  mapEmailUsage(organizationId: $id, usage: USER_INVITE, profileId: null) { id } }`;
const removeTeamMember = `mutation ($input: RemoveTeamMemberInput!) { removeTeamMember(input: $input) }`;

/** An organization with an app, which its workspaces use, and a profile for its invitations. */
async function furnished() {
  const { db } = identity;
  const admin = await createAdministrator(db);
  const { organizationId } = admin;
  const workspaces = [await createWorkspace(db, organizationId), await createWorkspace(db, organizationId)] as const;
  await db.organizationApp.create({ data: { organizationId, appId: 'media' } });
  await db.workspaceApp.createMany({ data: workspaces.map((workspaceId) => ({ workspaceId, appId: 'media' })) });
  const sender = { fromName: 'Muzium', fromAddress: 'muzium@fixture.test' };
  const { id: profileId } = await db.emailProfile.create({ data: { organizationId, name: 'Own', ...sender } });
  await db.emailUsageMapping.create({ data: { organizationId, usage: 'user_invite', profileId } });
  return { admin, organizationId, workspaces };
}

async function has(organizationId: Id) {
  const where = { organizationId };
  return {
    apps: await identity.db.organizationApp.count({ where }),
    appsOfWorkspaces: await identity.db.workspaceApp.count({ where: { workspace: where } }),
    usages: await identity.db.emailUsageMapping.count({ where }),
  };
}
const everything = { apps: 1, appsOfWorkspaces: 2, usages: 1 };

describe('a change in one place leaves all others as they are', () => {
  it('when an organization loses its apps', async () => {
    const [one, other] = [await furnished(), await furnished()];
    const input = { organizationId: one.organizationId, appIds: [] };

    expect((await identity.ask(setOrganizationApps, { input }, { token: operator })).error).toBeUndefined();

    expect(await has(one.organizationId)).toEqual({ ...everything, apps: 0, appsOfWorkspaces: 0 });
    expect(await has(other.organizationId)).toEqual(everything);
  });

  it('when a workspace gives up its apps', async () => {
    const { admin, organizationId, workspaces } = await furnished();
    const [workspaceId] = workspaces;
    const input = { organizationId, workspaceId, appIds: [] };

    expect((await identity.ask(setWorkspaceApps, { input }, { viewer: admin })).error).toBeUndefined();

    expect(await has(organizationId)).toEqual({ ...everything, appsOfWorkspaces: 1 });
    expect(await identity.db.workspaceApp.count({ where: { workspaceId } })).toBe(0);
  });

  it('when an organization sends its invitations in the name of Foyer again', async () => {
    const [one, other] = [await furnished(), await furnished()];

    const { error } = await identity.ask(mapEmailUsage, { id: one.organizationId }, { viewer: one.admin });
    expect(error).toBeUndefined();

    expect(await has(one.organizationId)).toEqual({ ...everything, usages: 0 });
    expect(await has(other.organizationId)).toEqual(everything);
  });

  it('when a person leaves one of their teams', async () => {
    const { db } = identity;
    const { admin, organizationId } = await furnished();
    const userId = await createMember(db, organizationId, 'ORG_MEMBER');
    const people = [userId, admin.userId];
    const [teamId, other] = [
      await createTeam(db, organizationId, { people }),
      await createTeam(db, organizationId, { people }),
    ];
    const input = { organizationId, teamId, userId };

    expect((await identity.ask(removeTeamMember, { input }, { viewer: admin })).error).toBeUndefined();

    const peopleIn = async (id: string) =>
      (await db.teamMember.findMany({ where: { teamId: id } })).map((member) => member.userId);
    expect(await peopleIn(teamId)).toEqual([admin.userId]);
    expect((await peopleIn(other)).toSorted()).toEqual(people.toSorted());
  });
});
