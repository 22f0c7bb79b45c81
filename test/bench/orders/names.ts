import { randomUUID } from 'node:crypto';

/** The unique names of an order that Foyer does not place. */
export const newNames = () => ({
  orderNo: `ORD-${randomUUID().toUpperCase()}`,
  billId: randomUUID(),
  transactionId: randomUUID(),
});

/** The `productDesc` of orders that are to be placed by a plain transaction. */
export const PLAINLY = 'plainly';
