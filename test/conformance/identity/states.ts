import { randomUUID } from 'node:crypto';

import { expect } from 'vitest';

import { mailsTo } from '../../support/servers/inbox.ts';
import { until } from '../../support/until.ts';
import { deviates, holds, NotRun, shownBy, type Rows } from '../framework/row.ts';
import type { Organization } from '../framework/server.ts';
import type { Answer, Server } from '../framework/server.ts';
import { wholeList } from '../framework/whole-list.ts';
import { acme, invited, me, mobile } from './people.ts';

const tenancy = '/api/v1/tenancy/organizations';

type Apply = (application: object) => Promise<Answer>;

/** Somebody who applied for an organization; what came is in the embedded inbox. */
export async function applicant(
  server: Server,
  apply: Apply = (body) => server.send('POST', '/api/v1/auth/self-signup', { body }),
) {
  const code = `APPLY-${randomUUID().slice(0, 8).toUpperCase()}`;
  const email = `${code.toLowerCase()}@applicant.test`;
  if ((await server.send('GET', '/sim/inbox/email')).status !== 200) throw new NotRun('needs the embedded inbox');
  await server.send('POST', '/api/v1/auth/self-signup/code', { body: { email } });
  const mailed = (pattern: RegExp) =>
    until(`a mail to ${email}`, async () => {
      const texts = (await mailsTo(server, email)).map(({ text }) => pattern.exec(text)?.[1]);
      return texts.find((found) => found !== undefined);
    });
  const answer = await apply({
    organization_name: `Applicant ${code}`,
    company_code: code,
    email,
    code: await mailed(/\b(\d{6})\b/),
    given_name: 'Siti',
    family_name: 'Aminah',
  });
  return { code, email, answer, mailed };
}

const setStatus = async (server: Server, organizationId: string, status: string) =>
  server.send('PUT', `${tenancy}/${organizationId}/status`, {
    headers: (await server.owner()).headers,
    body: { status },
  });

const accountState = async (server: Server, organization: Pick<Organization, 'id'>, id: string) => {
  const people = await wholeList(server, `/api/v1/internal/orgs/${organization.id}/users`, server.internal());
  return people.find((person) => person['id'] === id)?.['account_state'];
};

/** "Organization status". */
export const organizationStatus: Rows = {
  'identity-organization-status-pending-to-active': holds(async (server) => {
    const { answer, code, email, mailed } = await applicant(server);
    expect([answer.status, answer.json.organization.status]).toEqual([201, 'pending']);
    const { headers } = await server.login('member@acme.test', 'ACME');
    const path = `${tenancy}/${answer.json.organization.id}/status`;
    expect((await server.send('PUT', path, { headers, body: { status: 'active' } })).status).toBe(403);
    const approved = await setStatus(server, answer.json.organization.id, 'active');
    expect([approved.status, approved.json.data.status]).toEqual([200, 'active']);
    await server.login(email, code, await mailed(/Temporary password: (\S+)/));
  }),

  'identity-organization-status-any-to-disabled': deviates(
    '0051-known-deviations',
    'existing sessions end',
    async (server) => {
      const { id, admin } = await server.newOrganization();
      const { status, json } = await setStatus(server, id, 'disabled');
      expect([status, json.data.status]).toEqual([200, 'disabled']);
      await until('the sessions to end', async () => {
        return (await server.send('GET', me, { headers: admin.headers })).status === 401;
      });
    },
  ),
};

/** "User account_state". */
export const accountStates: Rows = {
  'identity-account-state-new-to-invited': holds(async (server) => {
    const { answer, email, link } = await invited(server);
    expect([answer.status, answer.json.user.account_state]).toEqual([201, 'invited']);
    expect(link).toContain('/auth/magic-link?token=');
    const { headers } = await server.login('member@acme.test', 'ACME');
    const refused = await server.send('POST', `${tenancy}/${acme}/invitations`, {
      headers,
      body: { username: `x${email}`, email: `x${email}`, given_name: 'In', family_name: 'Vited' },
    });
    expect(refused.status).toBe(403);
  }),

  'identity-account-state-invited-to-active': holds(async (server) => {
    const { id, token } = await invited(server);
    expect(await accountState(server, { id: acme }, id)).toBe('invited');
    const { status, json } = await server.send('POST', '/auth/magic-link/redeem', { headers: mobile, body: { token } });
    expect([status, json.password_change_required]).toEqual([200, true]);
    expect(await accountState(server, { id: acme }, id)).toBe('active');
    const headers = { authorization: `Bearer ${json.access_token}` };
    expect((await server.send('GET', me, { headers })).status).toBe(200);
  }),

  'identity-account-state-active-to-disabled': deviates(
    '0051-known-deviations',
    'refresh tokens are revoked besides',
    async (server) => {
      const organization = await server.organization();
      const { id, email, headers, refreshToken } = await organization.member();
      const { status } = await organization.ask('PATCH', `/users/${id}/status`, { body: { status: 'disabled' } });
      expect([status, await accountState(server, organization, id)]).toEqual([200, 'disabled']);
      await until('the block', async () => (await server.send('GET', me, { headers })).status === 401);
      const refreshed = await server.send('POST', '/api/v1/refresh', {
        body: { client_type: 'mobile', refresh_token: refreshToken },
      });
      expect(refreshed.status).toBe(401);
      await expect(organization.again(email)).rejects.toThrow('403');
    },
  ),

  'identity-account-state-disabled-to-active': holds(async (server) => {
    const organization = await server.organization();
    const { id, email } = await organization.member();
    await organization.ask('PATCH', `/users/${id}/status`, { body: { status: 'disabled' } });
    const { status } = await organization.ask('PATCH', `/users/${id}/status`, { body: { status: 'active' } });
    expect([status, await accountState(server, organization, id)]).toEqual([200, 'active']);
    await organization.again(email);
  }),

  'identity-account-state-any-to-active': shownBy(
    'subgraphs/identity/src/reconcile/reconcile.integration.test.ts',
    'is active again, with one line each in the audit log',
  ),

  'identity-account-state-reinvite': holds(async (server) => {
    const { id, token } = await invited(server);
    const { headers } = await server.acmeAdmin();
    const reinvite = () => server.send('POST', `${tenancy}/${acme}/users/${id}/reinvite`, { headers });
    expect((await reinvite()).status).toBe(200);
    const { status } = await server.send('POST', '/auth/magic-link/redeem', { headers: mobile, body: { token } });
    expect(status).toBe(401); // the new link has replaced it
    const member = await server.login('member@acme.test', 'ACME');
    const refused = await server.send('POST', `${tenancy}/${acme}/users/${member.id}/reinvite`, { headers });
    expect(refused.status).toBe(409);
  }),

  'identity-account-state-redeemed-without-password': shownBy(
    'test/identity/login/password.test.ts',
    'can also be requested by a person who redeemed a link and never chose one',
  ),
};
