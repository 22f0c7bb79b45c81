import { z } from 'zod';

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
import { paginated, offsetArguments } from '@foyer/shared/pagination';
import { route } from '../route.ts';
import {
  directMember,
  id,
  inOrganization,
  list,
  nodes,
  ok,
  prose,
  role,
  tenancy,
  text,
  workspace,
} from '../tenancy.ts';

const inWorkspace = inOrganization.extend({ wid: id });
const ofMember = inWorkspace.extend({ uid: id });
const workspaces = `${tenancy}/:orgId/workspaces`;

const at = ({ orgId, wid }: z.output<typeof inWorkspace>) => ({ organizationId: orgId, workspaceId: wid });
const of = ({ uid, ...params }: z.output<typeof ofMember>) => ({ ...at(params), userId: uid });

/** Spec 1, "Core service: identity and tenancy routes": workspaces. */
const places = [
  route('GET', workspaces, {
    document: WorkspacesDocument,
    input: list,
    variables: ({ params, query }) => ({ organizationId: params.orgId, ...offsetArguments(query) }),
    reply: ({ workspaces }, { query }) => paginated(nodes(workspaces, workspace), query, workspaces.totalCount),
  }),

  route('POST', workspaces, {
    document: CreateWorkspaceDocument,
    input: z.object({ params: inOrganization, body: z.object({ name: text, description: prose.default('') }) }),
    variables: ({ params, body }) => ({ input: { organizationId: params.orgId, ...body } }),
    reply: ({ createWorkspace }) => ok(workspace(createWorkspace)),
    status: 201,
  }),

  route('PATCH', `${workspaces}/:wid`, {
    document: UpdateWorkspaceDocument,
    input: z.object({
      params: inWorkspace,
      body: z.object({ name: text.optional(), description: prose.optional() }),
    }),
    variables: ({ params, body }) => ({ input: { ...at(params), ...body } }),
    reply: ({ updateWorkspace }) => ok(workspace(updateWorkspace)),
  }),

  route('DELETE', `${workspaces}/:wid`, {
    document: DeleteWorkspaceDocument,
    input: z.object({ params: inWorkspace }),
    variables: ({ params }) => ({ input: at(params) }),
    reply: ({ deleteWorkspace }) => ok({ id: deleteWorkspace }),
  }),

  route('PUT', `${workspaces}/:wid/apps`, {
    document: SetWorkspaceAppsDocument,
    input: z.object({ params: inWorkspace, body: z.object({ app_ids: z.array(text.min(1)).max(100) }) }),
    variables: ({ params, body }) => ({ input: { ...at(params), appIds: body.app_ids } }),
    reply: ({ setWorkspaceApps }) => ok(workspace(setWorkspaceApps)),
  }),
];

/** Direct members of a workspace, named in the path or, on the path of all members, in the body. */
const people = [
  route('GET', `${workspaces}/:wid/members`, {
    document: WorkspaceMembersDocument,
    input: list.extend({ params: inWorkspace }),
    variables: ({ params, query }) => ({ ...at(params), ...offsetArguments(query) }),
    reply: ({ workspaceMembers: found }, { query }) => paginated(nodes(found, directMember), query, found.totalCount),
  }),

  route('POST', `${workspaces}/:wid/members`, {
    document: AddWorkspaceMemberDocument,
    input: z.object({ params: inWorkspace, body: z.object({ user_id: id, role }) }),
    variables: ({ params, body }) => ({ input: { ...at(params), userId: body.user_id, role: body.role } }),
    reply: ({ addWorkspaceMember }) => ok(directMember(addWorkspaceMember)),
    status: 201,
  }),

  route('PATCH', `${workspaces}/:wid/members/:uid`, {
    document: SetWorkspaceMemberRoleDocument,
    input: z.object({ params: ofMember, body: z.object({ role }) }),
    variables: ({ params, body }) => ({ input: { ...of(params), role: body.role } }),
    reply: ({ setWorkspaceMemberRole }) => ok(directMember(setWorkspaceMemberRole)),
  }),

  route('PATCH', `${workspaces}/:wid/members`, {
    document: SetWorkspaceMemberRoleDocument,
    input: z.object({ params: inWorkspace, body: z.object({ user_id: id, role }) }),
    variables: ({ params, body }) => ({ input: { ...at(params), userId: body.user_id, role: body.role } }),
    reply: ({ setWorkspaceMemberRole }) => ok(directMember(setWorkspaceMemberRole)),
  }),

  route('DELETE', `${workspaces}/:wid/members/:uid`, {
    document: RemoveWorkspaceMemberDocument,
    input: z.object({ params: ofMember }),
    variables: ({ params }) => ({ input: of(params) }),
    reply: ({ removeWorkspaceMember }) => ok({ user_id: removeWorkspaceMember }),
  }),

  route('DELETE', `${workspaces}/:wid/members`, {
    document: RemoveWorkspaceMemberDocument,
    input: z.object({ params: inWorkspace, body: z.object({ user_id: id }) }),
    variables: ({ params, body }) => ({ input: { ...at(params), userId: body.user_id } }),
    reply: ({ removeWorkspaceMember }) => ok({ user_id: removeWorkspaceMember }),
  }),
];

export const workspaceRoutes = [...places, ...people];
