import { GraphQLError } from 'graphql';
import { describe, expect, it } from 'vitest';

import { dataOf } from './data-of.ts';

const failed = (...path: string[]) => new GraphQLError(`${path.join('.')} failed`, { path });
const placed = { createFreeOrder: { orderNo: 'ORD-1', order: { receipt: null } } };
const mayLack = ['createFreeOrder.order.receipt'];

describe('the answer to a change', () => {
  it('is its data, when only a field failed that it may lack', () => {
    expect(dataOf({ data: placed, errors: [failed('createFreeOrder', 'order', 'receipt')] }, { mayLack })).toBe(placed);
  });

  it('is the error of any other field', () => {
    const errors = [failed('createFreeOrder', 'order', 'receipt'), failed('createFreeOrder')];

    expect(() => dataOf({ data: null, errors }, { mayLack })).toThrow('createFreeOrder failed');
    expect(() => dataOf({ data: placed, errors: errors.slice(0, 1) })).toThrow('receipt failed');
  });
});
