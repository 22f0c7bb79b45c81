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

  it.each([
    ['startDate', '0001-01-01T00:00:00+14:00'],
    ['endDate', '9999-12-31T23:59:59-12:00'],
  ])('is refused with a %s that its offset carries beyond the years 1 to 9999', (path, moment) => {
    expect(() => drawUpCampaign({ ...input, [path]: moment })).toThrow(
      expect.objectContaining({
        extensions: expect.objectContaining({
          reason: 'VALIDATION_FAILED',
          errors: [expect.objectContaining({ path })],
        }),
      }),
    );
  });
});
