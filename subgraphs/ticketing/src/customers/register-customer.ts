import type { Context } from '../context.ts';
import { readGuest, readRegistration } from './customer-input.ts';
import { LINK_SECONDS } from '../links/customer-links.ts';
import { openCustomerSession } from './customer-session.ts';
import type { CustomerInView, CustomerRegistration } from './customer.ts';
import { sendVerificationJob } from '../customer-mails/send-verification.ts';

type Needs = Pick<Context, 'viewer' | 'client' | 'db' | 'jobs' | 'clock' | 'customerDirectory' | 'signCustomerToken'>;

/** Granted by the documented REST route when `REST_AUTH=documented`. */
const TOKEN_AT_ONCE = 'legacy:customer-token';

/**
 * Registers a customer. It does not look up the address, so that answer and time are the same for everybody; a mail to
 * the address says the rest. It creates a record that owns nothing of the address. Whoever reads the mail chooses the
 * password with its link; the password given here is only checked against the rules.
 *
 * @throws {Refusal} `VALIDATION_FAILED`, `PASSWORD_TOO_SIMPLE`, `RATE_LIMITED`, `IDENTITY_PROVIDER_DOWN`
 */
export async function registerCustomer(
  needs: Needs,
  input: Parameters<typeof readRegistration>[0],
): Promise<CustomerRegistration> {
  const { password, langChosen, ...wanted } = readRegistration(input);
  const { viewer, client, db, jobs, clock, customerDirectory } = needs;
  await customerDirectory.admitRequest(client);
  await customerDirectory.assertPassword(password);
  const mail = await customerDirectory.mayMail('verify', wanted.email);
  const expiresAt = new Date(clock.now().getTime() + LINK_SECONDS * 1_000);
  const recorded = db.$transaction(async (tx) => {
    const made = await tx.customer.create({ data: wanted });
    if (!mail) return made;
    const { id } = await tx.customerLink.create({ data: { kind: 'verify', custId: made.custId, expiresAt } });
    await jobs.enqueue(sendVerificationJob, { linkId: id, langChosen }, { within: tx });
    return made;
  });
  const customer = await recorded.catch(async (error: unknown) => {
    await mail?.giveBack();
    throw error;
  });
  const isLegacy = viewer?.kind === 'legacy-client' && viewer.permissions.includes(TOKEN_AT_ONCE);
  return { expiresIn: LINK_SECONDS, session: isLegacy ? await openCustomerSession(needs, customer) : null };
}

/** Creates a customer without a login. The same e-mail gets a new id each time, so that nobody learns who is known. */
export async function registerGuestCustomer(
  { db }: Pick<Context, 'db'>,
  input: Parameters<typeof readGuest>[0],
): Promise<CustomerInView> {
  return { ...(await db.customer.create({ data: readGuest(input) })), inFull: true };
}
