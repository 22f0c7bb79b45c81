import type { Bank } from '#ports/payment-gateway.ts';

import type { Context } from '../context.ts';
import { modeOf } from '../orders/order.ts';
import { unknownMode } from './refusals.ts';

/**
 * Lists the banks that a buyer can pay from.
 *
 * @throws {Refusal} `UNKNOWN_MODE`, `PAYMENT_GATEWAY_DOWN`
 */
export async function listBanks({ paymentGateway }: Pick<Context, 'paymentGateway'>, mode: string): Promise<Bank[]> {
  const msgToken = mode ? modeOf(mode) : null;
  if (!msgToken) throw unknownMode();
  return [...(await paymentGateway.banks(msgToken))];
}
