import { describe, expect, it } from 'vitest';

import { consequenceOf } from './review.ts';

describe('a decision about a payment that does not match its order', () => {
  it.each([
    ['AMOUNT_MISMATCH', 'PENDING', 'ACCEPTED', 'settle'],
    ['AMOUNT_MISMATCH', 'INITIATED', 'ACCEPTED', 'settle'],
    ['AMOUNT_MISMATCH', 'FAILED', 'ACCEPTED', 'settle-late'],
    ['AMOUNT_MISMATCH', 'SUCCESS', 'ACCEPTED', 'nothing'],
    ['AMOUNT_MISMATCH', 'PENDING', 'REFUND_NOTED', 'give-up'],
    ['AMOUNT_MISMATCH', 'FAILED', 'REFUND_NOTED', 'say-refunded'],
    ['DOUBLE_PAYMENT', 'SUCCESS', 'ACCEPTED', 'nothing'],
    ['DOUBLE_PAYMENT', 'SUCCESS', 'REFUND_NOTED', 'nothing'],
    ['REFUND_DUE', 'FAILED', 'ACCEPTED', 'settle-late'],
    ['REFUND_DUE', 'FAILED', 'REFUND_NOTED', 'say-refunded'],
  ] as const)('%s of an order that is %s, %s: %s', (reviewReason, transactionStatus, resolution, consequence) => {
    expect(consequenceOf({ reviewReason, transactionStatus }, resolution)).toBe(consequence);
  });
});
