import { describe, expect, it } from 'vitest';

import type { PaymentClaims } from '#ports/payment-gateway.ts';

import { judge, type Verdict } from './verdict.ts';

const order = {
  billId: 'BILL-1',
  transactionId: 'T-1',
  totalAmountSen: 10_000n,
  currency: 'MYR',
  gatewayTransactionId: null as string | null,
  reviewReason: null,
  reviewResolvedAt: null,
};

const claims: PaymentClaims = {
  jti: 'j',
  orderNo: 'ORD-1',
  billId: 'BILL-1',
  transactionId: 'T-1',
  gatewayTransactionId: 'G-1',
  statusCode: '00',
  statusMessage: '',
  amountSen: 10_000n,
  currency: 'MYR',
  bankCode: '',
  bankName: '',
  msgToken: '01',
  paidAt: null,
  raw: {},
};

const statuses = ['INITIATED', 'PENDING', 'SUCCESS', 'FAILED', 'FREE'] as const;
type Row = [string, Partial<PaymentClaims>, Record<(typeof statuses)[number], Verdict['do']>];

const table: Row[] = [
  [
    'paid',
    {},
    { INITIATED: 'succeed', PENDING: 'succeed', SUCCESS: 'nothing', FAILED: 'succeed-late', FREE: 'review' },
  ],
  [
    'paid, another amount',
    { amountSen: 5_000n },
    { INITIATED: 'review', PENDING: 'review', SUCCESS: 'review', FAILED: 'review', FREE: 'review' },
  ],
  [
    'paid, another currency',
    { currency: 'SGD' },
    { INITIATED: 'review', PENDING: 'review', SUCCESS: 'review', FAILED: 'review', FREE: 'review' },
  ],
  [
    'paid once more',
    { gatewayTransactionId: 'G-2' },
    { INITIATED: 'succeed', PENDING: 'succeed', SUCCESS: 'review', FAILED: 'succeed-late', FREE: 'review' },
  ],
  ...['09', '99', 'AP'].map((statusCode): Row => [
    `not decided (${statusCode})`,
    { statusCode },
    { INITIATED: 'wait', PENDING: 'wait', SUCCESS: 'nothing', FAILED: 'nothing', FREE: 'nothing' },
  ]),
  [
    'rejected',
    { statusCode: '51' },
    { INITIATED: 'fail', PENDING: 'fail', SUCCESS: 'nothing', FAILED: 'nothing', FREE: 'nothing' },
  ],
  [
    'not known',
    { statusCode: '76' },
    { INITIATED: 'nothing', PENDING: 'not-known', SUCCESS: 'nothing', FAILED: 'nothing', FREE: 'nothing' },
  ],
  [
    'of another bill',
    { billId: 'BILL-2' },
    { INITIATED: 'distrust', PENDING: 'distrust', SUCCESS: 'distrust', FAILED: 'distrust', FREE: 'distrust' },
  ],
];

describe.each(table)('a payment that is %s', (_what, said, verdicts) => {
  it.each(statuses)('gets its verdict for an order in %s', (transactionStatus) => {
    const gatewayTransactionId = transactionStatus === 'SUCCESS' ? 'G-1' : null;

    expect(judge({ ...order, transactionStatus, gatewayTransactionId }, { ...claims, ...said }).do).toBe(
      verdicts[transactionStatus],
    );
  });
});
