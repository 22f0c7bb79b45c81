import type { OrderStateFragment } from '../generated/operations.ts';

/** What FAILED in the API may mean to a buyer: who else ended the order than the bank. */
const endings = ['EXPIRED', 'CANCELLED', 'REFUNDED'] as const;

/** What buyers are told: an order that expired, that they cancelled or whose payment goes back is FAILED in the API. */
export function shownStatus({
  transactionStatus: status,
  bankCurrentStatus: last,
}: Pick<OrderStateFragment, 'transactionStatus' | 'bankCurrentStatus'>) {
  return (status === 'FAILED' && endings.find((ending) => ending === last)) || status;
}
