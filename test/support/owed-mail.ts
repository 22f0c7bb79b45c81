import { payAtTheBank, placeOrder } from './bank.ts';
import { signInCustomer } from './people.ts';
import { orderWithAll, type Stage } from './stage.ts';

/** Mail servers and dead processes are waited for as long as the queue waits. */
export const patiently = { timeoutMs: 180_000 };

/** A paid order; its mail is owed from now on. */
export async function paidOrder(stage: Stage, buyerEmail: string, more: object = {}): Promise<string> {
  const { orderNo } = await placeOrder(stage.house, await signInCustomer(stage.house), { buyerEmail, ...more });
  await payAtTheBank(stage.house, orderNo);
  return orderNo;
}

export const isSent = (stage: Stage, orderNo: string) => async () =>
  (await orderWithAll(stage.db, orderNo)).isEmailSent;

export const deliveryOf = async (stage: Stage, orderNo: string) =>
  (await orderWithAll(stage.db, orderNo)).deliveries[0];
