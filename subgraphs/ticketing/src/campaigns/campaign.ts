import type { Campaign, CampaignStatus } from '@foyer/prisma/client';
import { badInput, type InputError } from '@foyer/shared/errors';
import type { Id } from '@foyer/shared/ids';

/** A campaign with the name of whom it speaks to. */
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
 * What a campaign is to be, ready to be written down.
 *
 * @param before what it is so far: keeps its status where none is named. A new one is a draft then.
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
  if (campaign.startDate > campaign.endDate) errors.push({ path: 'endDate', message: 'must not be before startDate' });
  if (errors.length > 0) throw badInput(errors);
  return campaign;
}
