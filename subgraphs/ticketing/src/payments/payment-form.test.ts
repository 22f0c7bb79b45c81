import type { OrderTicketGroup } from '@foyer/prisma/client';
import { describe, expect, it } from 'vitest';

import { checkForm } from './payment-form.ts';

const order = {
  billId: 'BILL-01J',
  productId: 'TG7',
  transactionId: '0a0c0000-0000-4000-8000-000000000101',
  currency: 'MYR',
  buyerName: 'Zoë binti Ali',
  buyerEmail: 'Zoe@example.test',
  productDesc: 'National museum',
  totalAmountSen: 25_00n,
  langChosen: 'en',
} as OrderTicketGroup;

describe('a form that repeats the fields of the order', () => {
  it.each([
    ['nothing', {}],
    ['the same', { ...order, totalAmount: 25 }],
    [
      'the same with spaces around',
      { productDesc: '  National museum ', buyerName: ' Zoë binti Ali\t', billId: ' BILL-01J' },
    ],
    ['the same with its accents written apart', { buyerName: 'Zoë binti Ali'.normalize('NFD') }],
    [
      'an address and an id in another case',
      { buyerEmail: 'zoe@EXAMPLE.test', transactionId: order.transactionId.toUpperCase() },
    ],
    ['nulls', { productDesc: null, billId: null, totalAmount: null }],
    ['empty fields', { productDesc: '', billId: '', buyerName: ' ', productId: '', transactionId: '', currency: '' }],
  ])('matches the order: %s', (_what, sent) => {
    expect(() => checkForm(order, sent)).not.toThrow();
  });

  it.each([
    ['productDesc', 'Something cheaper'],
    ['productDesc', 'national museum'],
    ['buyerName', 'Somebody else'],
    ['billId', 'BILL-01K'],
    ['currency', 'SGD'],
    ['totalAmount', 24.99],
    ['totalAmount', 0],
  ])('does not match when %s is %s', (field, value) => {
    expect(() => checkForm(order, { [field]: value })).toThrow(expect.objectContaining({ reason: 'FORM_MISMATCH' }));
  });
});
