import { z } from 'zod';

import { Id, ok, okOf, pageOf, pageReply } from '../answers/envelope.ts';
import { DirectMember, directMember, UserId } from '../answers/people.ts';
import { Workspace, workspace } from '../answers/workspaces.ts';
import {
  AddWorkspaceMemberDocument,
  CreateWorkspaceDocument,
  DeleteWorkspaceDocument,
  RemoveWorkspaceMemberDocument,
  SetWorkspaceAppsDocument,
  SetWorkspaceMemberRoleDocument,
  UpdateWorkspaceDocument,
  WorkspaceMembersDocument,
  WorkspacesDocument,
} from '../generated/operations.ts';
import { offsetArguments } from '@foyer/shared/pagination';
import { route } from '../route.ts';
import {
  id,
  inOrganization,
  list,
  prose,
  tenancy,
  text,
  AppsInput,
  MemberInput,
  RoleInput,
  UserInput,
} from '../tenancy.ts';

const inWorkspace = inOrganization.extend({ wid: id });
const ofMember = inWorkspace.extend({ uid: id });
const NewWorkspace = z.object({ name: text, description: prose.default('') }).meta({ id: 'WorkspaceInput' });
const WorkspaceChanges = z
  .object({ name: text.optional(), description: prose.optional() })
  .meta({ id: 'WorkspaceChanges' });
const workspaces = `${tenancy}/:orgId/workspaces`;

const at = ({ orgId, wid }: z.output<typeof inWorkspace>) => ({ organizationId: orgId, workspaceId: wid });
const of = ({ uid, ...params }: z.output<typeof ofMember>) => ({ ...at(params), userId: uid });

/** Spec 1, "Core service: identity and tenancy routes": workspaces. */
const places = [
  route('GET', workspaces, {
    document: WorkspacesDocument,
    input: list,
    variables: ({ params, query }) => ({ organizationId: params.orgId, ...offsetArguments(query) }),
    answer: pageOf(Workspace),
    reply: ({ workspaces: found }, { query }) => pageReply(found, workspace, query),
  }),

  route('POST', workspaces, {
    document: CreateWorkspaceDocument,
    input: z.object({ params: inOrganization, body: NewWorkspace }),
    variables: ({ params, body }) => ({ input: { organizationId: params.orgId, ...body } }),
    answer: okOf(Workspace),
    reply: ({ createWorkspace }) => ok(workspace(createWorkspace)),
    status: 201,
  }),

  route('PATCH', `${workspaces}/:wid`, {
    document: UpdateWorkspaceDocument,
    input: z.object({
      params: inWorkspace,
      body: WorkspaceChanges,
    }),
    variables: ({ params, body }) => ({ input: { ...at(params), ...body } }),
    answer: okOf(Workspace),
    reply: ({ updateWorkspace }) => ok(workspace(updateWorkspace)),
  }),

  route('DELETE', `${workspaces}/:wid`, {
    document: DeleteWorkspaceDocument,
    input: z.object({ params: inWorkspace }),
    variables: ({ params }) => ({ input: at(params) }),
    answer: okOf(Id),
    reply: ({ deleteWorkspace }) => ok({ id: deleteWorkspace }),
  }),

  route('PUT', `${workspaces}/:wid/apps`, {
    document: SetWorkspaceAppsDocument,
    input: z.object({ params: inWorkspace, body: AppsInput }),
    variables: ({ params, body }) => ({ input: { ...at(params), appIds: body.app_ids } }),
    answer: okOf(Workspace),
    reply: ({ setWorkspaceApps }) => ok(workspace(setWorkspaceApps)),
  }),
];

/** Direct members of a workspace, named in the path or, on the path of all members, in the body. */
const people = [
  route('GET', `${workspaces}/:wid/members`, {
    document: WorkspaceMembersDocument,
    input: list.extend({ params: inWorkspace }),
    variables: ({ params, query }) => ({ ...at(params), ...offsetArguments(query) }),
    answer: pageOf(DirectMember),
    reply: ({ workspaceMembers }, { query }) => pageReply(workspaceMembers, directMember, query),
  }),

  route('POST', `${workspaces}/:wid/members`, {
    document: AddWorkspaceMemberDocument,
    input: z.object({ params: inWorkspace, body: MemberInput }),
    variables: ({ params, body }) => ({ input: { ...at(params), userId: body.user_id, role: body.role } }),
    answer: okOf(DirectMember),
    reply: ({ addWorkspaceMember }) => ok(directMember(addWorkspaceMember)),
    status: 201,
  }),

  route('PATCH', `${workspaces}/:wid/members/:uid`, {
    document: SetWorkspaceMemberRoleDocument,
    input: z.object({ params: ofMember, body: RoleInput }),
    variables: ({ params, body }) => ({ input: { ...of(params), role: body.role } }),
    answer: okOf(DirectMember),
    reply: ({ setWorkspaceMemberRole }) => ok(directMember(setWorkspaceMemberRole)),
  }),

  route('PATCH', `${workspaces}/:wid/members`, {
    document: SetWorkspaceMemberRoleDocument,
    input: z.object({ params: inWorkspace, body: MemberInput }),
    variables: ({ params, body }) => ({ input: { ...at(params), userId: body.user_id, role: body.role } }),
    answer: okOf(DirectMember),
    reply: ({ setWorkspaceMemberRole }) => ok(directMember(setWorkspaceMemberRole)),
  }),

  route('DELETE', `${workspaces}/:wid/members/:uid`, {
    document: RemoveWorkspaceMemberDocument,
    input: z.object({ params: ofMember }),
    variables: ({ params }) => ({ input: of(params) }),
    answer: okOf(UserId),
    reply: ({ removeWorkspaceMember }) => ok({ user_id: removeWorkspaceMember }),
  }),

  route('DELETE', `${workspaces}/:wid/members`, {
    document: RemoveWorkspaceMemberDocument,
    input: z.object({ params: inWorkspace, body: UserInput }),
    variables: ({ params, body }) => ({ input: { ...at(params), userId: body.user_id } }),
    answer: okOf(UserId),
    reply: ({ removeWorkspaceMember }) => ok({ user_id: removeWorkspaceMember }),
  }),
];

export const workspaceRoutes = [...places, ...people];
