import { Refusal } from '@foyer/shared/errors';

/** The database's answer was lost: the order may or may not have been placed. */
export const orderUncertain = (cause: unknown) =>
  new Refusal(
    'UPSTREAM_UNAVAILABLE',
    'ORDER_UNCERTAIN',
    'The database went away while the order was placed. Send the same request again: with the same Idempotency-Key it is placed once.',
    { cause, outcome: 'UNKNOWN' },
  );
