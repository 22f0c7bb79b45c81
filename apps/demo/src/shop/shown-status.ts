import type { OrderStateFragment } from '../generated/operations.ts';

/** What buyers are told: an order that the bank declined, that expired or that they cancelled is FAILED in the API. */
export function shownStatus({
  transactionStatus: status,
  bankCurrentStatus: last,
}: Pick<OrderStateFragment, 'transactionStatus' | 'bankCurrentStatus'>) {
  return status === 'FAILED' && (last === 'EXPIRED' || last === 'CANCELLED') ? last : status;
}
