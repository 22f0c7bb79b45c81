import { readConfig as readIdentityConfig } from '@foyer/identity/config';
import { identityProvider } from '@foyer/identity/identity-provider';
import { systemClock } from '@foyer/shared/clock';
import { greetMailServer } from '@foyer/shared/mail/smtp-mailer';
import { readConfig as readTicketingConfig } from '@foyer/ticketing/config';
import { paymentGateway } from '@foyer/ticketing/payment-gateway';

import { quiet } from '../desk.ts';
import { clock } from './database.ts';
import { failed, ok, PATIENCE_MS, reasonOf, type Finding } from './finding.ts';

/** The Date header has whole seconds. */
const HEADER_SKEW_MS = 5_000;

/** Whether the identity provider answers, takes our token, and has what a human creates there once. */
export async function checkIdentityProvider(env: NodeJS.ProcessEnv): Promise<Finding[]> {
  const part = 'identity provider';
  const { identityProvider: settings, platform } = readIdentityConfig(env);
  const answer = await fetch(settings.url, { redirect: 'manual', signal: AbortSignal.timeout(PATIENCE_MS) }).catch(
    (error: unknown) => reasonOf(error),
  );
  if (typeof answer === 'string')
    return [failed(part, `no answer from ${settings.url}: ${answer}`, 'start it, or mend IDP_URL')];
  const date = Date.parse(answer.headers.get('date') ?? '');
  const clocks = Number.isNaN(date) ? [] : [clock(`clock of the ${part}`, date - Date.now(), HEADER_SKEW_MS)];
  try {
    const provider = identityProvider({ ...settings, timeoutMs: PATIENCE_MS, log: quiet });
    const organization = await provider.findOrganization({ name: platform.idpOrgName });
    const cure = 'create it there, or mend IDP_PLATFORM_ORG_NAME';
    return [
      ok(part, `answers, and takes our token`),
      organization
        ? ok('platform organization', `${platform.idpOrgName} is there`)
        : failed('platform organization', `the provider has no organization ${platform.idpOrgName}`, cure),
      ...clocks,
    ];
  } catch (error) {
    const cure = 'mend IDP_PAT or IDP_PAT_FILE: a personal access token of a service user that is IAM_OWNER';
    return [failed(part, `it answers, but not to our token: ${reasonOf(error)}`, cure), ...clocks];
  }
}

/** Whether the payment gateway answers, and believes what we have sealed. */
export async function checkPaymentGateway(env: NodeJS.ProcessEnv): Promise<Finding> {
  const part = 'payment gateway';
  const { gateway } = readTicketingConfig(env);
  try {
    const banks = await paymentGateway({ ...gateway, timeoutMs: PATIENCE_MS }, systemClock).banks('01');
    return ok(part, `takes our checksum, and lists ${banks.length} banks`);
  } catch (error) {
    const reason = reasonOf(error);
    return / answered 4\d\d/.test(reason)
      ? failed(part, `it refuses our checksum: ${reason}`, 'mend PAYMENT_GATEWAY_SECRET and PAYMENT_AGENT_TOKEN')
      : failed(part, `no usable answer from ${gateway.url}: ${reason}`, 'start it, or mend PAYMENT_GATEWAY_URL');
  }
}

/** Whether the mail server greets us, and lets us sign in where SMTP_URL says how. */
export async function checkMail(env: NodeJS.ProcessEnv): Promise<Finding> {
  const { smtpUrl } = readTicketingConfig(env);
  const { host } = new URL(smtpUrl);
  try {
    await greetMailServer(smtpUrl, PATIENCE_MS);
    return ok('mail', `${host} greets us`);
  } catch (error) {
    const cure = 'start the mail server, or mend SMTP_URL (host, port, user, password; smtps:// for port 465)';
    return failed('mail', `${host} does not greet us: ${reasonOf(error)}`, cure);
  }
}
