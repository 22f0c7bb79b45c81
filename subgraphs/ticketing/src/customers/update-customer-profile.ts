import type { Context } from '../context.ts';
import { notifyOfCustomer } from '../notifications/notify-of-customer.ts';
import { readProfile } from './customer-input.ts';
import type { CustomerInView } from './customer.ts';
import { findCurrentCustomer } from './find-current-customer.ts';

type Needs = Pick<Context, 'viewer' | 'db' | 'clock'>;

/**
 * Changes the record of the customer who is logged in, and notifies staff (spec 2: the notification "Customer").
 *
 * @throws {Refusal} `VALIDATION_FAILED`, `CUSTOMER_NOT_FOUND`
 */
export async function updateCustomerProfile(
  needs: Needs,
  input: Parameters<typeof readProfile>[0],
): Promise<CustomerInView> {
  const wanted = readProfile(input);
  const { custId } = await findCurrentCustomer(needs);
  const data = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value != null));
  const at = needs.clock.now();
  const changed = await needs.db.$transaction(async (tx) => {
    const customer = await tx.customer.update({ where: { custId }, data });
    const say = (name: string) => `${name} updated their profile.`;
    await notifyOfCustomer(tx, customer, { type: 'Customer', title: 'Customer profile', say, at });
    return customer;
  });
  return { ...changed, inFull: true };
}
