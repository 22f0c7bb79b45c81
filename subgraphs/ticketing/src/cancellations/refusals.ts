import { Refusal } from '@foyer/shared/errors';

export const notCancellable = (transactionStatus: string) =>
  new Refusal('CONFLICT', 'ORDER_NOT_CANCELLABLE', 'Only an order whose payment has not begun can be cancelled.', {
    transactionStatus,
  });
