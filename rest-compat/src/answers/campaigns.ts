import { z } from 'zod';

import type { CampaignsQuery } from '../generated/operations.ts';

export const Campaign = z
  .object({
    id: z.string(),
    name: z.string(),
    targetGroupId: z.string(),
    targetGroupName: z.string(),
    status: z.enum(['draft', 'active', 'paused', 'completed']),
    startDate: z.iso.datetime(),
    endDate: z.iso.datetime(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    organizationId: z.string(),
    workspaceId: z.string().nullable(),
  })
  .meta({ id: 'Campaign' });

type CampaignParts = NonNullable<CampaignsQuery['campaigns']>['edges'][number]['node'];

export const campaign = ({ organization, workspace, ...fields }: CampaignParts): z.input<typeof Campaign> => ({
  ...fields,
  organizationId: organization.id,
  workspaceId: workspace?.id ?? null,
});
