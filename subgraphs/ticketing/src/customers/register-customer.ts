import type { Context } from '../context.ts';
import { readGuest, readRegistration } from './customer-input.ts';
import { LINK_SECONDS } from '../links/customer-links.ts';
import { openCustomerSession } from './customer-session.ts';
import type { CustomerInView, CustomerRegistration } from './customer.ts';
import { sendVerificationJob } from '../customer-mails/send-verification.ts';

type Needs = Pick<Context, 'viewer' | 'client' | 'db' | 'jobs' | 'clock' | 'customerDirectory' | 'signCustomerToken'>;

/** What the REST route of the documents lets a client do when `REST_AUTH=documented`. */
const TOKEN_AT_ONCE = 'legacy:customer-token';

/**
 * Takes a registration. Whether anybody has the address is not looked at here: answer and time are the same for
 * everybody, and a mail to the address says the rest. What is made is a record that owns nothing of the address; the
 * password is chosen with the link in the mail, by whoever reads it, and the one given here is only held to the rules.
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
  const mails = await customerDirectory.mayMail('verify', wanted.email);
  const expiresAt = new Date(clock.now().getTime() + LINK_SECONDS * 1_000);
  const customer = await db.$transaction(async (tx) => {
    const made = await tx.customer.create({ data: wanted });
    if (!mails) return made;
    const { id } = await tx.customerLink.create({ data: { kind: 'verify', custId: made.custId, expiresAt } });
    await jobs.enqueue(sendVerificationJob, { linkId: id, langChosen }, { within: tx });
    return made;
  });
  const isLegacy = viewer?.kind === 'legacy-client' && viewer.permissions.includes(TOKEN_AT_ONCE);
  return { expiresIn: LINK_SECONDS, session: isLegacy ? await openCustomerSession(needs, customer) : null };
}

/** Makes a customer without a login. Two who name the same e-mail get two ids, and learn nothing of each other. */
export async function registerGuestCustomer(
  { db }: Pick<Context, 'db'>,
  input: Parameters<typeof readGuest>[0],
): Promise<CustomerInView> {
  return { ...(await db.customer.create({ data: readGuest(input) })), inFull: true };
}
