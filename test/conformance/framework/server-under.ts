import { SignJWT } from 'jose';

import { linkFor } from '../../support/servers/inbox.ts';
import { send } from '../../support/fixtures/people.ts';
import { answerCheck } from './documented-answers.ts';
import { newOrganization } from './organization.ts';
import { NotRun } from './row.ts';
import type { Server } from './server.ts';
import type { Settings } from './settings.ts';

export function serverUnder(settings: Settings): Server {
  const { url, mode } = settings;
  const needed = (value: string | undefined, what: string) => {
    if (value === undefined) throw new NotRun(`needs ${what}`);
    return value;
  };
  const password = () => needed(settings.password, 'the password of the demo accounts (--password)');

  // Another server may say in its document what it likes, if any: Foyer's is none of the three documents.
  const checkAnswer = settings.complete ? answerCheck(settings) : undefined;
  const server: Server = {
    url,
    mode,
    password,
    async send(method, path, sent) {
      const answer = await send(settings, method, path, sent);
      await checkAnswer?.(method, path, answer);
      return answer;
    },
    async login(username, companyCode, secret = password()) {
      const { status, json, text } = await send(settings, 'POST', '/api/v1/login', {
        headers: { 'service-platform': 'mobile' },
        body: { username, password: secret, company_code: companyCode },
      });
      if (status !== 200) throw new Error(`${username} can't sign in: ${status} ${text}`);
      return {
        id: json.user.id,
        accessToken: json.access_token,
        refreshToken: json.refresh_token,
        headers: { authorization: `Bearer ${json.access_token}` },
      };
    },
    internal: () => ({
      'x-internal-token': needed(settings.internalSecret, 'the secret of services (--internal-psk)'),
    }),
    hookSecret: () => needed(settings.hookSecret, 'the secret of the upload server (--hook-secret)'),
    owner: once(() => server.login('admin@foyer.test', 'PLATFORM')),
    acmeAdmin: once(() => server.login('orgadmin@acme.test', 'ACME')),
    organization: once(() => newOrganization(server)),
    newOrganization: () => newOrganization(server),
    customer: once(async () => {
      const body = { email: 'customer@foyer.test', password: password() };
      const { json } = await send(settings, 'POST', '/auth/login', { body });
      return { ...json.customer, headers: { authorization: `Bearer ${json.token}` } };
    }),
    async legacy(role, claims) {
      const secret = needed(settings.legacySecret, 'the secret of legacy tokens (--legacy-secret)');
      const token = await new SignJWT({ sub: 'somebody', role, ...claims })
        .setProtectedHeader({ alg: 'HS256' })
        .setExpirationTime('1h')
        .sign(new TextEncoder().encode(secret));
      return { authorization: `Bearer ${token}` };
    },
    async mailedLink(email, path) {
      const { status } = await send(settings, 'GET', '/sim/inbox/email');
      if (status !== 200) throw new NotRun('needs the embedded inbox');
      return linkFor(settings, email, path);
    },
  };
  return server;
}

function once<Made>(make: () => Promise<Made>): () => Promise<Made> {
  let made: Promise<Made> | undefined;
  return () => (made ??= make());
}
