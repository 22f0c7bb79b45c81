import { readFile } from 'node:fs/promises';

import type { Config as IdentityConfig } from '@foyer/identity/config';
import { identityProvider } from '@foyer/identity/identity-provider';
import { systemClock } from '@foyer/shared/clock';
import { greetMailServer } from '@foyer/shared/mail/smtp-mailer';
import { readConfig as readTicketingConfig } from '@foyer/ticketing/config';
import { paymentGateway } from '@foyer/ticketing/payment-gateway';

import { silentLog } from '../operator/operator-context.ts';
import { clock } from './database.ts';
import { failed, ok, TIMEOUT_MS, reasonOf, type Finding } from './finding.ts';

/** The Date header has whole seconds. */
const HEADER_SKEW_MS = 5_000;

/**
 * Checks that the identity provider answers, and accepts our token.
 *
 * @param platform the organization that is created by hand, and must exist, where it is known
 */
export async function checkIdentityProvider({
  identityProvider: settings,
  platform,
}: Pick<IdentityConfig, 'identityProvider'> & Partial<Pick<IdentityConfig, 'platform'>>): Promise<Finding[]> {
  const part = 'identity provider';
  const answer = await fetch(settings.url, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(
    (error: unknown) => reasonOf(error),
  );
  if (typeof answer === 'string')
    return [failed(part, `no answer from ${settings.url}: ${answer}`, 'start it, or mend IDP_URL')];
  const unread = await unreadable(settings);
  if (unread) return [unread];
  const date = Date.parse(answer.headers.get('date') ?? '');
  const clocks = Number.isNaN(date) ? [] : [clock(`clock of the ${part}`, date - Date.now(), HEADER_SKEW_MS)];
  try {
    const provider = identityProvider({ ...settings, timeoutMs: TIMEOUT_MS, log: silentLog });
    const name = platform?.idpOrgName ?? 'Foyer';
    const exists = (await provider.findOrganization({ name })) !== undefined;
    return [ok(part, `answers, and accepts our token`), ...(platform ? [organization(name, exists)] : []), ...clocks];
  } catch (error) {
    const cure = 'mend IDP_PAT or IDP_PAT_FILE: a personal access token of a service user that is IAM_OWNER';
    return [failed(part, `it answers, but refuses our token: ${reasonOf(error)}`, cure), ...clocks];
  }
}

/** What is wrong with the file of the token, if anything: an unreadable one counts as an empty token, which is refused. */
async function unreadable({
  token,
  tokenFile = '',
}: Pick<IdentityConfig['identityProvider'], 'token' | 'tokenFile'>): Promise<Finding | undefined> {
  if (token) return undefined;
  return readFile(tokenFile).then(
    () => undefined,
    (error: unknown) =>
      failed(
        'identity provider',
        `IDP_PAT_FILE can not be read: ${reasonOf(error)}`,
        'let this user read it, or set IDP_PAT',
      ),
  );
}

const organization = (name: string, exists: boolean) =>
  exists
    ? ok('platform organization', `${name} exists`)
    : failed(
        'platform organization',
        `the provider has no organization ${name}`,
        'create it there, or mend IDP_PLATFORM_ORG_NAME',
      );

/** Checks that the payment gateway answers, and accepts our checksum. */
export async function checkPaymentGateway(env: NodeJS.ProcessEnv): Promise<Finding> {
  const part = 'payment gateway';
  const { gateway } = readTicketingConfig(env);
  try {
    const banks = await paymentGateway({ ...gateway, timeoutMs: TIMEOUT_MS }, systemClock).banks('01');
    return ok(part, `accepts our checksum, and lists ${banks.length} banks`);
  } catch (error) {
    const reason = reasonOf(error);
    return / answered 4\d\d/.test(reason)
      ? failed(part, `it refuses our checksum: ${reason}`, 'mend PAYMENT_GATEWAY_SECRET and PAYMENT_AGENT_TOKEN')
      : failed(part, `no usable answer from ${gateway.url}: ${reason}`, 'start it, or mend PAYMENT_GATEWAY_URL');
  }
}

/** Checks that the mail server greets us, and accepts the credentials in SMTP_URL, if any. */
export async function checkMail(smtpUrl: string): Promise<Finding> {
  const { host } = new URL(smtpUrl);
  try {
    await greetMailServer(smtpUrl);
    return ok('mail', `${host} greets us`);
  } catch (error) {
    const cure = 'start the mail server, or mend SMTP_URL (host, port, user, password; smtps:// for port 465)';
    return failed('mail', `${host} does not greet us: ${reasonOf(error)}`, cure);
  }
}
