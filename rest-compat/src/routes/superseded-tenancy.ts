import { z } from 'zod';

import { Channel, oneChannel } from '../answers/channels.ts';
import { pageOf, pageReply } from '../answers/envelope.ts';
import { DirectMember, directMember } from '../answers/people.ts';
import { oneRole, Role, RolesMatrix, rolesMatrix } from '../answers/roles.ts';
import { Workspace, workspace } from '../answers/workspaces.ts';
import {
  ChannelsDocument,
  RolesDocument,
  RolesMatrixDocument,
  WorkspaceMembersDocument,
  WorkspacesDocument,
} from '../generated/operations.ts';
import { paginated, OptionalPagination, offsetArguments } from '@foyer/shared/pagination';
import { route } from '../route.ts';
import { id, tenancy } from '../tenancy.ts';

const params = z.object({ orgId: id.optional() });
const list = z.object({ params, query: OptionalPagination });
const ofWorkspace = list.extend({ params: params.extend({ workspaceId: id }) });

interface Params {
  params: { orgId?: string | undefined };
}

const successor =
  <Input extends Params>(path: (input: Input) => string) =>
  (input: Input, own: string | undefined) => {
    const orgId = input.params.orgId ?? own;
    return orgId && `${tenancy}/${orgId}${path(input)}`;
  };

const atWorkspace = (of: string) =>
  successor(({ params }: z.output<typeof ofWorkspace>) => `/workspaces/${params.workspaceId}${of}`);

/** A superseded route under its older prefix. */
const shapes = (prefix: string) => [
  route('GET', `${prefix}/roles`, {
    document: RolesDocument,
    input: list,
    variables: ({ params, query }) => ({ organizationId: params.orgId ?? null, ...offsetArguments(query) }),
    answer: pageOf(Role),
    reply: ({ roles }, { query }) => pageReply(roles, oneRole, query),
    successor: successor(() => '/roles'),
  }),

  route('GET', `${prefix}/roles-matrix`, {
    document: RolesMatrixDocument,
    input: z.object({ params }),
    variables: ({ params }) => ({ organizationId: params.orgId ?? null }),
    answer: RolesMatrix,
    reply: rolesMatrix,
    successor: successor(() => '/roles-matrix'),
  }),

  route('GET', `${prefix}/workspaces`, {
    document: WorkspacesDocument,
    input: list,
    variables: ({ params, query }) => ({ organizationId: params.orgId ?? null, ...offsetArguments(query) }),
    answer: pageOf(Workspace),
    reply: ({ workspaces }, { query }) => pageReply(workspaces, workspace, query),
    successor: successor(() => '/workspaces'),
  }),

  route('GET', `${prefix}/workspaces/:workspaceId/members`, {
    document: WorkspaceMembersDocument,
    input: ofWorkspace,
    variables: ({ params, query }) => ({
      organizationId: params.orgId ?? null,
      workspaceId: params.workspaceId,
      ...offsetArguments(query),
    }),
    answer: pageOf(DirectMember),
    reply: ({ workspaceMembers }, { query }) => pageReply(workspaceMembers, directMember, query),
    successor: atWorkspace('/members'),
  }),

  // No document defines locations: the list is empty, for viewers who may see the workspace.
  route('GET', `${prefix}/workspaces/:workspaceId/locations`, {
    document: WorkspaceMembersDocument,
    input: ofWorkspace,
    variables: ({ params, query }) => ({
      organizationId: params.orgId ?? null,
      workspaceId: params.workspaceId,
      ...offsetArguments(query),
    }),
    answer: pageOf(z.never()).meta({ id: 'LocationPage' }),
    reply: (_found, { query }) => paginated([], query, 0),
    successor: successor(() => '/workspaces'),
  }),

  route('GET', `${prefix}/workspaces/:workspaceId/channels`, {
    document: ChannelsDocument,
    input: ofWorkspace,
    variables: ({ params, query }) => ({ workspaceId: params.workspaceId, ...offsetArguments(query) }),
    answer: pageOf(Channel),
    reply: ({ channels }, { query }) => pageReply(channels, oneChannel, query),
    successor: ({ params }) => `/channels?workspaceId=${params.workspaceId}`,
  }),
];

/** Spec 1, rule 5 of the tenancy routes: the shapes from before /tenancy/organizations/:orgId. */
export const supersededTenancy = ['/organizations/:orgId', '/api/v1/organizations/:orgId', '', '/api/v1'].flatMap(
  shapes,
);
