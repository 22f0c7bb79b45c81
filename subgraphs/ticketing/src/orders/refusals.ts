import { Refusal } from '@foyer/shared/errors';

/** Also for a wrong e-mail, so that nobody learns whether the order exists. */
export const orderNotFound = () => new Refusal('NOT_FOUND', 'ORDER_NOT_FOUND', 'There is no such order.');

export const customerUnknown = () =>
  new Refusal('FORBIDDEN', 'CUSTOMER_NOT_VALID', 'A valid customer account is needed to order.');

export const reviewNotOpen = () =>
  new Refusal(
    'CONFLICT',
    'REVIEW_NOT_OPEN',
    'There is nothing to review about this order, or somebody has just done it.',
  );

export const useFreeRoute = () =>
  new Refusal('BAD_USER_INPUT', 'USE_FREE_ROUTE', 'This order costs nothing: place it as a free order.');

export const notFree = () => new Refusal('BAD_USER_INPUT', 'NOT_FREE', 'This order is not free of charge.');

/** @param facts more for the client, such as the language of the order */
export const amountOutOfRange = (least: string, most: string, facts: object = {}) =>
  new Refusal('BAD_USER_INPUT', 'AMOUNT_OUT_OF_RANGE', `A payment must be from RM ${least} to RM ${most}.`, {
    ...facts,
  });

/** `retryAfter` is a guess, because a paid or expired order makes room for the next. */
export const tooManyOpen = (most: number) =>
  new Refusal(
    'RATE_LIMITED',
    'TOO_MANY_OPEN_ORDERS',
    `You have ${most} orders that are not paid: pay for one of them, cancel one, or wait until it has expired.`,
    { most, retryAfter: 60 },
  );

/** The same for guests, who are counted by network because they have no account. */
export const tooManyOpenFrom = (most: number) =>
  new Refusal(
    'RATE_LIMITED',
    'TOO_MANY_OPEN_ORDERS',
    `There are ${most} orders from your network that are not paid: wait until one is paid, cancelled or has expired, or sign in.`,
    { most, retryAfter: 60 },
  );

export const keyReused = () =>
  new Refusal('UNPROCESSABLE', 'IDEMPOTENCY_KEY_REUSED', 'This idempotency key was used for another request.');
