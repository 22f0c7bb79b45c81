import type { IdentityTransaction } from '@foyer/prisma/identity';
import type { Id } from '@foyer/shared/ids';
import { getNamedType, isLeafType, type GraphQLField } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import * as fixture from '../testing/organization-fixture.ts';
import { startTestIdentity, type TestIdentity } from '../testing/test-identity.ts';

let identity: TestIdentity;
let organizationId: Id;
let workspaceId: Id;

beforeAll(async () => {
  identity = await startTestIdentity();
  organizationId = await fixture.createOrganization(identity.db);
  workspaceId = await fixture.createWorkspace(identity.db, organizationId);
});

afterAll(() => identity.stop());

const role = (scope: 'organization' | 'workspace', ...permissions: string[]) =>
  fixture.createRole(identity.db, organizationId, scope, permissions);
const member = (roleId: string) => fixture.createMember(identity.db, organizationId, roleId);
const team = (has: Parameters<typeof fixture.createTeam>[2]) => fixture.createTeam(identity.db, organizationId, has);
const directly = (userId: Id, roleId: string) =>
  identity.db.workspaceMember.create({ data: { workspaceId, userId, role: roleId } });
/** Creates a person who holds only these permissions in the organization. */
const personWith = async (...permissions: string[]) => member(await role('organization', ...permissions));

/** An actor who tries to get, or to give, more than they hold, and their input. */
interface Attempt {
  actor: Id;
  input: Record<string, unknown>;
}

/** The function that checks the change, and an attempt that it refuses. */
interface Row {
  check: 'assertMayGrant' | 'requireService';
  reason: string;
  attempt(): Promise<Attempt>;
}

const mayGrant = (attempt: Row['attempt']): Row => ({ check: 'assertMayGrant', reason: 'ROLE_ABOVE_OWN', attempt });
const service = (input: () => Record<string, unknown>): Row => ({
  check: 'requireService',
  reason: 'FORBIDDEN',
  attempt: async () => ({ actor: await member('ORG_OWNER'), input: input() }),
});

const changesRights: Record<string, Row> = {
  addTeamMember: mayGrant(async () => {
    const actor = await personWith('org:teams:manage');
    return { actor, input: { teamId: await team({ roles: { [workspaceId]: 'VIEWER' } }), userId: actor } };
  }),
  grantTeamWorkspace: mayGrant(async () => {
    const actor = await member('ORG_MANAGER');
    return { actor, input: { teamId: await team({ people: [actor] }), workspaceId, role: 'WORKSPACE_ADMIN' } };
  }),
  setTeamWorkspaceRole: mayGrant(async () => {
    const actor = await personWith('org:teams:manage');
    const teamId = await team({ people: [actor], roles: { [workspaceId]: 'VIEWER' } });
    return { actor, input: { teamId, workspaceId, role: 'WORKSPACE_ADMIN' } };
  }),
  addWorkspaceMember: mayGrant(async () => {
    const actor = await personWith('org:workspaces:manage');
    return { actor, input: { workspaceId, userId: actor, role: 'VIEWER' } };
  }),
  setWorkspaceMemberRole: mayGrant(async () => {
    const actor = await member('ORG_MEMBER');
    await directly(actor, await role('workspace', 'workspace:members:manage'));
    return { actor, input: { workspaceId, userId: actor, role: 'WORKSPACE_ADMIN' } };
  }),
  createRole: mayGrant(async () => ({
    actor: await member('ORG_ADMIN'),
    input: { name: 'Heir', scope: 'ORGANIZATION', permissions: ['org:transfer'] },
  })),
  updateRole: mayGrant(async () => {
    const actor = await personWith('org:roles:manage');
    const roleId = await role('workspace', 'media:view');
    await directly(actor, roleId);
    return { actor, input: { roleId, permissions: ['media:view', 'payments:view'] } };
  }),
  setMemberRole: mayGrant(async () => {
    const actor = await member('ORG_ADMIN');
    return { actor, input: { userId: await member('ORG_MEMBER'), role: await role('organization', 'org:transfer') } };
  }),
  setMemberStatus: mayGrant(async () => {
    const userId = await member('ORG_MEMBER');
    await directly(userId, 'WORKSPACE_ADMIN');
    await identity.db.authUser.update({ where: { id: userId }, data: { accountState: 'disabled' } });
    return { actor: await personWith('org:users:manage'), input: { userId, status: 'ACTIVE' } };
  }),
  createMember: service(() => ({
    username: 'new',
    email: 'new@fixture.test',
    givenName: 'New',
    familyName: 'Lim',
    password: 'New-Secret-1',
  })),
  upsertUser: service(() => ({ id: workspaceId, username: 'new', email: 'new@fixture.test' })),
  upsertOrganization: service(() => ({ id: organizationId, name: 'New' })),
  reconcile: service(() => ({ dryRun: false })),
};

/** For mutations without an attempt here: the function that checks, and the test of it. */
const changesRightsAndIsTriedElsewhere = {
  inviteUser: 'assertMayGrant, with ORG_MEMBER, which grants nothing: summary-of-grants.test.ts',
  reinviteUser: 'hasBeenGiven: test/identity/own-mail-server.test.ts',
  redeemMagicLink: 'hasBeenGiven: test/identity/own-mail-server.test.ts',
  createEmailProfile: 'hasBeenGiven, where a link is sent and used: test/identity/own-mail-server.test.ts',
  updateEmailProfile: 'hasBeenGiven, where a link is sent and used: test/identity/own-mail-server.test.ts',
  mapEmailUsage: 'hasBeenGiven, where a link is sent and used: test/identity/own-mail-server.test.ts',
  createOrganization: 'setUpOrganization, where nobody is yet: set-up-organization.integration.test.ts',
  setOrganizationStatus: 'setUpOrganization, where nobody is yet: set-up-organization.integration.test.ts',
};

/** Mutations that remove or name things, or concern the caller's own session and password. */
const doesNot = `
  createTeam updateTeam deleteTeam removeTeamMember setTeamMemberRole revokeTeamWorkspace
  createWorkspace updateWorkspace deleteWorkspace removeWorkspaceMember
  deleteRole removeMember deleteOrganization deleteEmailProfile
  setOrganizationApps setWorkspaceApps
  requestSignupCode selfSignup editApplication
  login refresh logout revokeSession revokeOtherSessions logoutEverywhere
  changePassword requestPasswordReset confirmPasswordReset`;

const namesIn = (text: string) => text.trim().split(/\s+/);
const mutations = () => identity.subgraph.schema.getMutationType()?.getFields() ?? {};

/** Calls a mutation with these values, by the names of its inputs. */
function call(field: GraphQLField<unknown, unknown>, input: Record<string, unknown>) {
  const variables = Object.fromEntries(field.args.map(({ name }) => [name, name === 'input' ? input : input[name]]));
  const declared = field.args.map(({ name, type }) => `$${name}: ${String(type)}`).join(', ');
  const given = field.args.map(({ name }) => `${name}: $${name}`).join(', ');
  const answer = isLeafType(getNamedType(field.type)) ? '' : '{ __typename }';
  return { document: `mutation (${declared}) { ${field.name}(${given}) ${answer} }`, variables };
}

/** All rows that grant permissions. */
const whatIsGranted = (tx: IdentityTransaction) =>
  Promise.all([
    tx.organizationMember.findMany({ orderBy: { userId: 'asc' } }),
    tx.workspaceMember.findMany({ orderBy: [{ workspaceId: 'asc' }, { userId: 'asc' }] }),
    tx.teamMember.findMany({ orderBy: [{ teamId: 'asc' }, { userId: 'asc' }] }),
    tx.teamWorkspaceRole.findMany({ orderBy: [{ teamId: 'asc' }, { workspaceId: 'asc' }] }),
    tx.rolePermission.findMany({ orderBy: [{ roleId: 'asc' }, { permission: 'asc' }] }),
    tx.authUser.findMany({ orderBy: { id: 'asc' }, select: { id: true, accountState: true } }),
  ]);

describe('a mutation of identity', () => {
  it('either changes what somebody may do, and names the check, or does not', () => {
    const listed = [
      ...Object.keys(changesRights),
      ...Object.keys(changesRightsAndIsTriedElsewhere),
      ...namesIn(doesNot),
    ];
    expect(listed.toSorted()).toEqual(Object.keys(mutations()).toSorted());
  });

  it.each(Object.entries(changesRights))('%s gives nobody more than the caller holds', async (name, row) => {
    const { actor, input } = await row.attempt();
    const viewer = await fixture.viewerOf(identity.db, organizationId, actor);
    const field = mutations()[name];
    if (!field) throw new Error(`there is no mutation ${name}`);
    const takesOrganization = getNamedType(field.args[0]?.type ?? field.type).toString() !== 'UpsertOrganizationInput';
    const { document, variables } = call(field, { ...(takesOrganization && { organizationId }), ...input });
    const before = await identity.db.$transaction(whatIsGranted);

    const { error } = await identity.ask(document, variables, { viewer });

    expect(error?.['reason']).toBe(row.reason);
    expect(await identity.db.$transaction(whatIsGranted)).toEqual(before);
  });
});

describe('two simultaneous calls', () => {
  it('that rewrite and assign a role do not both succeed', async () => {
    for (let round = 0; round < 5; round++) {
      const actor = await personWith('org:roles:manage', 'org:workspaces:manage');
      const roleId = await role('workspace');
      const viewer = await fixture.viewerOf(identity.db, organizationId, actor);
      const ask = (name: string, input: Record<string, unknown>) => {
        const field = mutations()[name];
        if (!field) throw new Error(`there is no mutation ${name}`);
        const { document, variables } = call(field, { organizationId, ...input });
        return identity.ask(document, variables, { viewer });
      };
      await Promise.all([
        ask('updateRole', { roleId, permissions: ['payments:view'] }),
        ask('addWorkspaceMember', { workspaceId, userId: actor, role: roleId }),
      ]);
      const rights = await identity.subgraph.permissions.inWorkspace(viewer, workspaceId);
      expect([...(rights?.permissions ?? [])]).toEqual([]);
    }
  });
});
