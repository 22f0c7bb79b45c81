import { payAtTheBank, placeOrder } from './servers/bank.ts';
import type { Server } from './servers/server-process.ts';
import { logInCustomer } from './fixtures/people.ts';
import { orderWithAll, type CrashFixture } from './servers/crash-fixture.ts';

/** The timeout: as long as the queue waits for mail servers and dead processes. */
export const patiently = { timeoutMs: 180_000 };

/** A paid order, whose mail is due from now on. */
export async function paidOrder(server: Server, buyerEmail: string, more: object = {}): Promise<string> {
  const { orderNo } = await placeOrder(server, await logInCustomer(server), { buyerEmail, ...more });
  await payAtTheBank(server, orderNo);
  return orderNo;
}

export const isSent = (db: CrashFixture['db'], orderNo: string) => async () =>
  (await orderWithAll(db, orderNo)).isEmailSent;

export const deliveryOf = async (db: CrashFixture['db'], orderNo: string) =>
  (await orderWithAll(db, orderNo)).deliveries[0];
