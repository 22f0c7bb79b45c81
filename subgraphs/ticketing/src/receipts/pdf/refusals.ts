import { Refusal } from '@foyer/shared/errors';

/** @param retryAfter in seconds */
export const receiptsBusy = (retryAfter: number) =>
  new Refusal(
    'UPSTREAM_UNAVAILABLE',
    'RECEIPTS_BUSY',
    'Too many receipts are being printed. Ask again in a moment, for fewer of them.',
    { retryAfter },
  );
