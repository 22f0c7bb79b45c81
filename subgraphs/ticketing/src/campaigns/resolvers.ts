import type {
  CampaignResolvers,
  MutationResolvers,
  OrganizationResolvers,
  QueryResolvers,
  WorkspaceResolvers,
} from '../generated/graphql.ts';
import { readable } from '../units/calendar.ts';
import { createCampaign } from './create-campaign.ts';
import { deleteCampaign } from './delete-campaign.ts';
import { listCampaigns, listWorkspaceCampaigns } from './list-campaigns.ts';
import { updateCampaign } from './update-campaign.ts';

export const Query = {
  campaigns: (_parent, args, context) => listCampaigns(context, args),
} satisfies Partial<QueryResolvers>;

export const Mutation = {
  createCampaign: (_parent, args, context) => createCampaign(context, args),
  updateCampaign: (_parent, args, context) => updateCampaign(context, args),
  deleteCampaign: (_parent, args, context) => deleteCampaign(context, args),
} satisfies Partial<MutationResolvers>;

export const Organization = {
  campaigns: ({ id }, page, context) => listCampaigns(context, { organizationId: id, ...page }),
} satisfies Partial<OrganizationResolvers>;

export const Workspace = {
  campaigns: ({ id }, page, context) => listWorkspaceCampaigns(context, id, page),
} satisfies Partial<WorkspaceResolvers>;

export const Campaign = {
  organization: ({ organizationId }) => ({ id: organizationId }),
  workspace: ({ workspaceId }) => (workspaceId ? { id: workspaceId } : null),
  startDate: ({ startDate }) => readable(startDate),
  endDate: ({ endDate }) => readable(endDate),
  targetGroupName: ({ targetGroup }) => targetGroup.name,
} satisfies CampaignResolvers;
