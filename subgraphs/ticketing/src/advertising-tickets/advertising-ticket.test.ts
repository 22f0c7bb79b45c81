import { describe, expect, it } from 'vitest';

import { drawUpAdvertisingTicket } from './advertising-ticket.ts';

const refused = expect.objectContaining({ reason: 'VALIDATION_FAILED' });
const reasonOf = (input: object) => {
  try {
    return drawUpAdvertisingTicket({ advertisementType: 'coupon', ...input });
  } catch (error) {
    return error;
  }
};

describe('an advertising ticket', () => {
  it('needs only a type; the rest is empty', () => {
    expect(drawUpAdvertisingTicket({ advertisementType: 'typographic' })).toMatchObject({
      advertisementType: 'typographic',
      color: '#000000',
      placement: 0,
      titleEn: '',
      activeStartDate: null,
      isActive: true,
    });
  });

  it('keeps every field that is given', () => {
    const long = 'x'.repeat(20_000);

    expect(
      drawUpAdvertisingTicket({ advertisementType: 'editorial', titleBm: long, headerCn: long, descEn: long }),
    ).toMatchObject({ titleBm: long, headerCn: long, descEn: long });
  });

  it('keeps its days as days', () => {
    const input = { advertisementType: 'coupon', activeStartDate: '2026-12-01', activeEndDate: '2026-12-01' };

    expect(drawUpAdvertisingTicket(input)).toMatchObject({ activeStartDate: new Date('2026-12-01T00:00:00Z') });
  });

  it.each([
    { advertisementType: 'banner' },
    { color: 'red' },
    { color: '#12345' },
    { placement: 1.5 },
    { placement: 2_147_483_648 },
    { redirectUrl: 'javascript:alert(1)' },
    { redirectUrl: '//evil.test' },
    { imageUrl: '//evil.test/x.png' },
    { imageUrl: 'data:text/html,x' },
    { imageMediaId: 'x' },
    { activeStartDate: '2026-02-30' },
    { activeStartDate: '2026-12-02', activeEndDate: '2026-12-01' },
    { titleEn: 'x'.repeat(20_001) },
  ])('is refused with %j', (input) => {
    expect(reasonOf(input)).toEqual(refused);
  });

  it('may have an image at a path on this server', () => {
    expect(reasonOf({ imageUrl: '/assets/1/thumbnail' })).toMatchObject({ imageUrl: '/assets/1/thumbnail' });
  });
});
