import { Refusal } from '@foyer/shared/errors';

export const gatewayDown = (cause: unknown) =>
  new Refusal('UPSTREAM_UNAVAILABLE', 'PAYMENT_GATEWAY_DOWN', 'Payment is not possible right now.', { cause });
