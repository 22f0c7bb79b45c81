import { z } from 'zod';

import { Id, ok, okOf, pageOf, pageReply } from '../answers/envelope.ts';
import { DirectMember, directMember, UserId } from '../answers/people.ts';
import { Team, team, WorkspaceGrant, workspaceGrant, WorkspaceId } from '../answers/teams.ts';
import {
  AddTeamMemberDocument,
  CreateTeamDocument,
  DeleteTeamDocument,
  GrantTeamWorkspaceDocument,
  RemoveTeamMemberDocument,
  RevokeTeamWorkspaceDocument,
  SetTeamMemberRoleDocument,
  SetTeamWorkspaceRoleDocument,
  TeamMembersDocument,
  TeamsDocument,
  UpdateTeamDocument,
} from '../generated/operations.ts';
import { offsetArguments } from '@foyer/shared/pagination';
import { route } from '../route.ts';
import { id, inOrganization, list, prose, role, tenancy, text, MemberInput, RoleInput, UserInput } from '../tenancy.ts';

const inTeam = inOrganization.extend({ tid: id });
const NewTeam = z.object({ name: text, description: prose.default('') }).meta({ id: 'TeamInput' });
const TeamChanges = z.object({ name: text.optional(), description: prose.optional() }).meta({ id: 'TeamChanges' });
const TeamWorkspace = z.object({ workspace_id: id, role }).meta({ id: 'TeamWorkspaceInput' });
const teams = `${tenancy}/:orgId/teams`;

const at = ({ orgId, tid }: z.output<typeof inTeam>) => ({ organizationId: orgId, teamId: tid });

/** Spec 1, "Core service: identity and tenancy routes": teams. */
const itself = [
  route('GET', teams, {
    document: TeamsDocument,
    input: list,
    variables: ({ params, query }) => ({ organizationId: params.orgId, ...offsetArguments(query) }),
    answer: pageOf(Team),
    reply: ({ teams: found }, { query }) => pageReply(found, team, query),
  }),

  route('POST', teams, {
    document: CreateTeamDocument,
    input: z.object({ params: inOrganization, body: NewTeam }),
    variables: ({ params, body }) => ({ input: { organizationId: params.orgId, ...body } }),
    answer: okOf(Team),
    reply: ({ createTeam }) => ok(team(createTeam)),
    status: 201,
  }),

  route('PATCH', `${teams}/:tid`, {
    document: UpdateTeamDocument,
    input: z.object({ params: inTeam, body: TeamChanges }),
    variables: ({ params, body }) => ({ input: { ...at(params), ...body } }),
    answer: okOf(Team),
    reply: ({ updateTeam }) => ok(team(updateTeam)),
  }),

  route('DELETE', `${teams}/:tid`, {
    document: DeleteTeamDocument,
    input: z.object({ params: inTeam }),
    variables: ({ params }) => ({ input: at(params) }),
    answer: okOf(Id),
    reply: ({ deleteTeam }) => ok({ id: deleteTeam }),
  }),
];

/** Members of a team. The documents name the user in the path or, on the path of all members, in the body. */
const people = [
  route('GET', `${teams}/:tid/members`, {
    document: TeamMembersDocument,
    input: list.extend({ params: inTeam }),
    variables: ({ params, query }) => ({ ...at(params), ...offsetArguments(query) }),
    answer: pageOf(DirectMember),
    reply: ({ teamMembers }, { query }) => pageReply(teamMembers, directMember, query),
  }),

  route('POST', `${teams}/:tid/members`, {
    document: AddTeamMemberDocument,
    input: z.object({ params: inTeam, body: z.object({ user_id: id, role: role.default('member') }) }),
    variables: ({ params, body }) => ({ input: { ...at(params), userId: body.user_id, role: body.role } }),
    answer: okOf(DirectMember),
    reply: ({ addTeamMember }) => ok(directMember(addTeamMember)),
    status: 201,
  }),

  route('PATCH', `${teams}/:tid/members/:uid`, {
    document: SetTeamMemberRoleDocument,
    input: z.object({ params: inTeam.extend({ uid: id }), body: RoleInput }),
    variables: ({ params, body }) => ({ input: { ...at(params), userId: params.uid, role: body.role } }),
    answer: okOf(DirectMember),
    reply: ({ setTeamMemberRole }) => ok(directMember(setTeamMemberRole)),
  }),

  route('PATCH', `${teams}/:tid/members`, {
    document: SetTeamMemberRoleDocument,
    input: z.object({ params: inTeam, body: MemberInput }),
    variables: ({ params, body }) => ({ input: { ...at(params), userId: body.user_id, role: body.role } }),
    answer: okOf(DirectMember),
    reply: ({ setTeamMemberRole }) => ok(directMember(setTeamMemberRole)),
  }),

  route('DELETE', `${teams}/:tid/members/:uid`, {
    document: RemoveTeamMemberDocument,
    input: z.object({ params: inTeam.extend({ uid: id }) }),
    variables: ({ params }) => ({ input: { ...at(params), userId: params.uid } }),
    answer: okOf(UserId),
    reply: ({ removeTeamMember }) => ok({ user_id: removeTeamMember }),
  }),

  route('DELETE', `${teams}/:tid/members`, {
    document: RemoveTeamMemberDocument,
    input: z.object({ params: inTeam, body: UserInput }),
    variables: ({ params, body }) => ({ input: { ...at(params), userId: body.user_id } }),
    answer: okOf(UserId),
    reply: ({ removeTeamMember }) => ok({ user_id: removeTeamMember }),
  }),
];

/** Workspaces of a team, named in the path or in the body. */
const grants = [
  route('POST', `${teams}/:tid/workspaces`, {
    document: GrantTeamWorkspaceDocument,
    input: z.object({ params: inTeam, body: TeamWorkspace }),
    variables: ({ params, body }) => ({ input: { ...at(params), workspaceId: body.workspace_id, role: body.role } }),
    answer: okOf(WorkspaceGrant),
    reply: ({ grantTeamWorkspace }) => ok(workspaceGrant(grantTeamWorkspace)),
    status: 201,
  }),

  route('PATCH', `${teams}/:tid/workspaces/:wid`, {
    document: SetTeamWorkspaceRoleDocument,
    input: z.object({ params: inTeam.extend({ wid: id }), body: RoleInput }),
    variables: ({ params, body }) => ({ input: { ...at(params), workspaceId: params.wid, role: body.role } }),
    answer: okOf(WorkspaceGrant),
    reply: ({ setTeamWorkspaceRole }) => ok(workspaceGrant(setTeamWorkspaceRole)),
  }),

  route('PATCH', `${teams}/:tid/workspaces`, {
    document: SetTeamWorkspaceRoleDocument,
    input: z.object({ params: inTeam, body: TeamWorkspace }),
    variables: ({ params, body }) => ({ input: { ...at(params), workspaceId: body.workspace_id, role: body.role } }),
    answer: okOf(WorkspaceGrant),
    reply: ({ setTeamWorkspaceRole }) => ok(workspaceGrant(setTeamWorkspaceRole)),
  }),

  route('DELETE', `${teams}/:tid/workspaces/:wid`, {
    document: RevokeTeamWorkspaceDocument,
    input: z.object({ params: inTeam.extend({ wid: id }) }),
    variables: ({ params }) => ({ input: { ...at(params), workspaceId: params.wid } }),
    answer: okOf(WorkspaceId),
    reply: ({ revokeTeamWorkspace }) => ok({ workspace_id: revokeTeamWorkspace }),
  }),

  route('DELETE', `${teams}/:tid/workspaces`, {
    document: RevokeTeamWorkspaceDocument,
    input: z.object({ params: inTeam, body: z.object({ workspace_id: id }) }),
    variables: ({ params, body }) => ({ input: { ...at(params), workspaceId: body.workspace_id } }),
    answer: okOf(WorkspaceId),
    reply: ({ revokeTeamWorkspace }) => ok({ workspace_id: revokeTeamWorkspace }),
  }),
];

export const teamRoutes = [...itself, ...people, ...grants];
