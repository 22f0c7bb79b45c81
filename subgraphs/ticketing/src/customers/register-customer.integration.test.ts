import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openScratchTicketing, type ScratchTicketing } from '../testing/scratch-ticketing.ts';
import { registerCustomer } from './register-customer.ts';

let ticketing: ScratchTicketing;
beforeAll(async () => {
  ticketing = await openScratchTicketing();
}, 60_000);
afterAll(() => ticketing.stop());

/** Registers somebody. @returns how many mails count against the limit afterwards */
async function register(email: string): Promise<number> {
  const { context } = ticketing;
  let counted = 0;
  const mayMail = async () => {
    counted += 1;
    return { giveBack: async () => void (counted -= 1) };
  };
  const customerDirectory = { ...context.customerDirectory, mayMail };
  const input = { fullName: 'Siti Aminah', email, contactNo: '', password: 'Foyer-demo-1' };
  const jobs = { ...context.jobs, enqueue: async () => undefined }; // the scratch queue knows no mails
  await registerCustomer({ ...context, customerDirectory, jobs }, input).catch(() => undefined);
  return counted;
}

describe('the mail of a registration', () => {
  it('counts against the limit once it is stored, and not when that fails', async () => {
    const { db } = ticketing.context;
    await db.$executeRaw`ALTER TABLE ticketing.customer_link ADD CONSTRAINT no_more CHECK (false) NOT VALID`;
    expect(await register('unlucky@customer.test')).toBe(0);
    await db.$executeRaw`ALTER TABLE ticketing.customer_link DROP CONSTRAINT no_more`;
    expect(await register('unlucky@customer.test')).toBe(1);
  });
});
