import { expect, describe, it } from 'vitest';

import { readOrderInput } from './order-input.ts';

const read = (differently: object) =>
  readOrderInput(
    {
      ticketGroupId: '1',
      buyerName: 'Siti',
      buyerEmail: 'siti@example.my',
      admitDate: '2027-01-01',
      items: [{ itemId: 'ADULT', quantityBought: 1 }],
      ...differently,
    },
    null,
  );
const refusedAt = (path: string) =>
  expect.objectContaining({ extensions: expect.objectContaining({ errors: [expect.objectContaining({ path })] }) });

describe('an order', () => {
  it.each([
    '0a0c0000-0000-4000-8000-000000000001',
    '00000000-0000-0000-0000-000000000001',
    'A1B2C3D4-0000-0000-0000-00000000000F',
  ])('may be of a customer whose id is a UUID of any version: %s', (custId) => {
    expect(read({ custId }).custId).toBe(custId.toLowerCase());
  });

  it.each(['7', '{0a0c0000-0000-4000-8000-000000000001}', '0a0c000000004000800000000000000a'])(
    'is refused for a customer whose id is none: %s',
    (custId) => {
      expect(() => read({ custId })).toThrow(refusedAt('custId'));
    },
  );

  it.each([
    "o'neil+tickets@example.my",
    'tan&sons@example.my',
    'sales/kl@example.my',
    'a%b=c#d@mail.example.my',
    'siti@xn--bcher-kva.example',
    'siti@xn--e1afmkfd.xn--mgbx4cd0ab',
  ])('is mailed to any address that browsers take: %s', (buyerEmail) => {
    expect(read({ buyerEmail }).buyerEmail).toBe(buyerEmail);
  });

  it.each([
    'siti',
    'siti@example',
    '@example.my',
    '.siti@example.my',
    'siti.@example.my',
    'si..ti@example.my',
    'siti@-example.my',
    'siti@example-.my',
    'siti@example..my',
    'siti@example.m',
    'siti@192.0.2.1',
    'siti@[192.0.2.1]',
    '"siti aminah"@example.my',
    'siti@example.my,mei@example.my',
    'siti <siti@example.my>',
    'siti@example.my\nBcc: mei@example.my',
    `${'x'.repeat(250)}@example.my`,
  ])('is refused with an address that is none: %j', (buyerEmail) => {
    expect(() => read({ buyerEmail })).toThrow(refusedAt('buyerEmail'));
  });
});
