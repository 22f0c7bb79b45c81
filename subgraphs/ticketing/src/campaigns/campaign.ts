import type { Campaign, CampaignStatus } from '@foyer/prisma/client';
import { badInput, type InputError } from '@foyer/shared/errors';
import type { Id } from '@foyer/shared/ids';

/** A campaign with the name of its target group. */
export type CampaignInView = Campaign & { targetGroup: { name: string } };

export interface CampaignInput {
  name: string;
  targetGroupId: Id;
  status?: CampaignStatus | null | undefined;
  startDate: string | Date;
  endDate: string | Date;
}

const LONGEST_NAME = 200;

/**
 * Validates the input of a campaign.
 *
 * @param before the campaign so far, whose status stays when none is given; a new campaign is a draft
 * @throws {Refusal} `VALIDATION_FAILED`
 */
export function drawUpCampaign(
  { name, targetGroupId, status, startDate, endDate }: CampaignInput,
  before?: Pick<Campaign, 'status'>,
) {
  const campaign = {
    name: name.trim(),
    targetGroupId,
    status: status ?? before?.status ?? 'draft',
    startDate: new Date(startDate),
    endDate: new Date(endDate),
  };
  const errors: InputError[] = [];
  if (campaign.name === '' || campaign.name.length > LONGEST_NAME) {
    errors.push({ path: 'name', message: `must have 1 to ${LONGEST_NAME} characters` });
  }
  for (const path of ['startDate', 'endDate'] as const) {
    if (!hasYear(campaign[path])) errors.push({ path, message: 'must be in the years 1 to 9999, in UTC' });
  }
  if (campaign.startDate > campaign.endDate) errors.push({ path: 'endDate', message: 'must not be before startDate' });
  if (errors.length > 0) throw badInput(errors);
  return campaign;
}

/** An offset can carry a moment into the year 0, which PostgreSQL lacks, or 10000, which RFC 3339 lacks. */
function hasYear(moment: Date): boolean {
  const year = moment.getUTCFullYear();
  return year >= 1 && year <= 9999;
}
