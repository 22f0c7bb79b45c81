import type {
  MutationResolvers,
  QueryResolvers,
  TeamMemberResolvers,
  TeamResolvers,
  TeamWorkspaceResolvers,
} from '../generated/graphql.ts';
import { requirePerson } from '../tenancy/find-person.ts';
import { requireWorkspace } from '../workspaces/find-workspace.ts';
import { addTeamMember } from './add-team-member.ts';
import { createTeam } from './create-team.ts';
import { deleteTeam } from './delete-team.ts';
import { grantTeamWorkspace } from './grant-team-workspace.ts';
import { listTeamMembers, listTeams } from './list-teams.ts';
import { removeTeamMember } from './remove-team-member.ts';
import { revokeTeamWorkspace } from './revoke-team-workspace.ts';
import { setTeamMemberRole } from './set-team-member-role.ts';
import { setTeamWorkspaceRole } from './set-team-workspace-role.ts';
import { updateTeam } from './update-team.ts';

export const Query = {
  teams: (_parent, args, context) => listTeams(context, args),
  teamMembers: (_parent, args, context) => listTeamMembers(context, args),
} satisfies Partial<QueryResolvers>;

export const Mutation = {
  createTeam: (_parent, { input }, context) => createTeam(context, input),
  updateTeam: (_parent, { input }, context) => updateTeam(context, input),
  deleteTeam: (_parent, { input }, context) => deleteTeam(context, input),
  addTeamMember: (_parent, { input }, context) => addTeamMember(context, input),
  setTeamMemberRole: (_parent, { input }, context) => setTeamMemberRole(context, input),
  removeTeamMember: (_parent, { input }, context) => removeTeamMember(context, input),
  grantTeamWorkspace: (_parent, { input }, context) => grantTeamWorkspace(context, input),
  setTeamWorkspaceRole: (_parent, { input }, context) => setTeamWorkspaceRole(context, input),
  revokeTeamWorkspace: (_parent, { input }, context) => revokeTeamWorkspace(context, input),
} satisfies Partial<MutationResolvers>;

export const Team = {
  workspaces: ({ id }, _args, { loaders }) => loaders.grantsOfTeam.load(id),
} satisfies TeamResolvers;

export const TeamWorkspace = {
  workspace: ({ workspaceId }, _args, context) => requireWorkspace(context, workspaceId),
  role: ({ roleId }) => roleId,
} satisfies TeamWorkspaceResolvers;

export const TeamMember = {
  user: ({ userId }, _args, context) => requirePerson(context, userId),
  addedAt: ({ createdAt }) => createdAt.toISOString(),
} satisfies TeamMemberResolvers;
