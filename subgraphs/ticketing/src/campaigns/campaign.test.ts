import { readId } from '@foyer/shared/ids';

import { describe, expect, it } from 'vitest';

import { drawUpCampaign } from './campaign.ts';

const input = {
  name: ' School holidays ',
  targetGroupId: readId('0a0c0000-0000-4000-8000-000000000301'),
  startDate: '2026-12-01T00:00:00Z',
  endDate: '2026-12-31T00:00:00Z',
};

describe('a campaign', () => {
  it('is a draft unless a status is given', () => {
    expect(drawUpCampaign(input)).toMatchObject({ name: 'School holidays', status: 'draft' });
  });

  it.each([{ name: '  ' }, { name: 'x'.repeat(201) }, { endDate: '2026-11-30T00:00:00Z' }])(
    'is refused with %j',
    (wrong) => {
      expect(() => drawUpCampaign({ ...input, ...wrong })).toThrow(
        expect.objectContaining({ reason: 'VALIDATION_FAILED' }),
      );
    },
  );
});
