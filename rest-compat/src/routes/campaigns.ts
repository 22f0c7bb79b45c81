import { uuidText } from '@foyer/shared/ids';
import { z } from 'zod';

import { Campaign, campaign } from '../answers/campaigns.ts';
import { Id, nodes } from '../answers/envelope.ts';
import {
  CampaignsDocument,
  CreateCampaignDocument,
  DeleteCampaignDocument,
  UpdateCampaignDocument,
} from '../generated/operations.ts';
import { OptionalPagination, pageArguments } from '@foyer/shared/pagination';
import { route } from '../route.ts';

const headers = z.object({
  'x-organization-id': uuidText(),
  'x-workspace-id': uuidText().optional(),
});

interface Scoped {
  headers: z.output<typeof headers>;
}

const where = ({ headers: sent }: Scoped) => ({
  organizationId: sent['x-organization-id'],
  workspaceId: sent['x-workspace-id'] ?? null,
});

/** The documents check nothing here: organization and workspace come from the client's headers. */
const openTo =
  (permission: string) =>
  ({ headers: sent }: Scoped) => ({
    organizationId: sent['x-organization-id'],
    ...(sent['x-workspace-id'] && { workspaceId: sent['x-workspace-id'] }),
    permissions: [permission],
  });

const body = z
  .object({
    name: z.string().min(1).max(200),
    targetGroupId: uuidText(),
    status: z.enum(['draft', 'active', 'paused', 'completed']).optional(),
    startDate: z.iso.datetime({ offset: true }),
    endDate: z.iso.datetime({ offset: true }),
  })
  .meta({ id: 'CampaignInput' });
const params = z.object({ campaignId: uuidText() });

/** Spec 2, "Campaigns". */
export const campaigns = [
  route('GET', '/api/v1/campaigns', {
    document: CampaignsDocument,
    input: z.object({ headers, query: OptionalPagination }),
    variables: (input) => ({ ...where(input), ...pageArguments(input.query) }),
    open: openTo('campaign:view'),
    answer: z.array(Campaign),
    reply: ({ campaigns: found }) => nodes(found, campaign),
  }),

  route('POST', '/api/v1/campaigns', {
    document: CreateCampaignDocument,
    input: z.object({ headers, body }),
    variables: (input) => ({ ...where(input), input: input.body }),
    open: openTo('campaign:manage'),
    answer: Id,
    reply: ({ createCampaign }) => createCampaign,
    status: 201,
  }),

  route('PUT', '/api/v1/campaigns/:campaignId', {
    document: UpdateCampaignDocument,
    input: z.object({ headers, params, body }),
    variables: (input) => ({ ...where(input), id: input.params.campaignId, input: input.body }),
    open: openTo('campaign:manage'),
    answer: z.object({ message: z.literal('Campaign updated') }),
    reply: () => ({ message: 'Campaign updated' as const }),
  }),

  route('DELETE', '/api/v1/campaigns/:campaignId', {
    document: DeleteCampaignDocument,
    input: z.object({ headers, params }),
    variables: (input) => ({ ...where(input), id: input.params.campaignId }),
    open: openTo('campaign:manage'),
    answer: z.object({ message: z.literal('Campaign deleted') }),
    reply: () => ({ message: 'Campaign deleted' as const }),
  }),
];
