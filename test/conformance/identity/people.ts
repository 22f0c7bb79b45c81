import { randomUUID } from 'node:crypto';

import type { Server } from '../framework/server.ts';

/** Of the demo organization, which has an e-mail profile for invitations. */
export const acme = '0a0c0000-0000-4000-8000-000000000001';
export const me = '/api/v1/identity/users/me';
export const mobile = { 'service-platform': 'mobile' };

/** The permission catalog, for which the documents state no requirement; strict mode asks for a token everywhere. */
export async function catalog(server: Server) {
  const headers = server.mode === 'strict' ? (await server.acmeAdmin()).headers : {};
  return server.send('GET', '/api/v1/tenancy/permissions/catalog', { headers });
}

/** The name and value of each cookie that is set. */
export const cookiesOf = (set: readonly string[]) =>
  Object.fromEntries(set.map((cookie) => cookie.split(';', 1)[0]?.split(/=(.*)/s) ?? []) as [string, string][]);

/** Signs in as a browser; its cookies as it would send them. */
export async function browser(server: Server, username: string, companyCode: string, password = server.password()) {
  const answer = await server.send('POST', '/api/v1/login', {
    body: { username, password, company_code: companyCode },
  });
  const { access_token: access = '', refresh_token: refresh = '' } = cookiesOf(answer.cookies);
  return { answer, access, refresh, cookie: `access_token=${access}; refresh_token=${refresh}` };
}

/** Somebody who is invited to the demo organization, and the token of their link. */
export async function invited(server: Server) {
  const email = `conf-${randomUUID().slice(0, 8)}@acme.test`;
  const { headers } = await server.acmeAdmin();
  const answer = await server.send('POST', `/api/v1/tenancy/organizations/${acme}/invitations`, {
    headers,
    body: { username: email, email, given_name: 'In', family_name: 'Vited', role: 'ORG_OWNER' },
  });
  const link = answer.status === 201 ? await server.mailedLink(email, '/auth/magic-link') : '';
  return {
    answer,
    email,
    id: String(answer.json.user?.id),
    link,
    token: new URL(link, 'http://x').searchParams.get('token'),
  };
}
