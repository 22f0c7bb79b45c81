import { randomUUID } from 'node:crypto';

import { decodeJwt } from 'jose';
import { expect } from 'vitest';

import { deviates, holds, shownBy, type Row, type Rows } from '../framework/row.ts';
import type { Server } from '../framework/server.ts';
import { wholeList } from '../framework/whole-list.ts';
import { acme, me } from './people.ts';

const records = 'subgraphs/identity/src/records.integration.test.ts';
const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;

type Claims = Record<string, unknown>;

const claim = (look: (claims: Claims, person: { id: string; server: Server }) => void, note?: string): Row =>
  holds(async (server) => {
    const { accessToken, id } = await server.acmeAdmin();
    look(decodeJwt(accessToken), { id, server });
  }, note);

/** "Access token (RS256 JWT) claims". */
export const claims: Rows = {
  'identity-claims-iss': claim(({ iss }) => expect(iss).toEqual(expect.stringMatching(/\S/))),
  'identity-claims-sub': claim(({ sub }, { id }) => expect(sub).toBe(id)),
  'identity-claims-iat-exp': claim(({ iat, exp }) => {
    expect([Number.isInteger(iat), Number.isInteger(exp)]).toEqual([true, true]);
    expect(Number(exp)).toBeGreaterThan(Number(iat));
  }),
  'identity-claims-jti': holds(async (server) => {
    const [one, other] = [
      await server.login('member@acme.test', 'ACME'),
      await server.login('member@acme.test', 'ACME'),
    ];
    const ids = [one, other].map(({ accessToken }) => decodeJwt(accessToken).jti);
    expect(ids).toEqual([expect.stringMatching(uuid), expect.stringMatching(uuid)]);
    expect(ids[0]).not.toBe(ids[1]);
  }),
  'identity-claims-uid': claim(({ uid }, { id }) => expect(uid).toBe(id)),
  'identity-claims-zid': holds(async (server) => {
    const { id, admin } = await server.organization();
    const { json } = await server.send('GET', `/api/v1/internal/orgs/${id}/users?limit=100`, {
      headers: server.internal(),
    });
    const found = json.data.find((user: { id: string }) => user.id === admin.id);
    expect(decodeJwt(admin.accessToken)['zid']).toBe(found.idp_user_id);
  }),
  'identity-claims-sid': holds(async (server) => {
    const { accessToken, refreshToken } = await server.login('member@acme.test', 'ACME');
    const { json } = await server.send('POST', '/api/v1/refresh', {
      body: { client_type: 'mobile', refresh_token: refreshToken },
    });
    const { sid } = decodeJwt<{ sid: string }>(accessToken);
    expect([sid, decodeJwt(json.access_token)['sid']]).toEqual([expect.stringMatching(uuid), sid]);
  }),
  'identity-claims-org': claim(({ org }) =>
    expect(org).toEqual({
      org_id: expect.stringMatching(uuid),
      org_slug: expect.any(String),
      role: 'ORG_ADMIN',
    }),
  ),
  'identity-claims-app-roles': claim((all) => expect(all['app_roles'] ?? null).toBeNull()),
  'identity-claims-no-aud': claim((all) => expect(Object.keys(all)).not.toContain('aud')),
};

/** "Records of the auth service". */
export const authRecords: Rows = {
  'identity-auth-records-organization': holds(async (server) => {
    const { json } = await server.send('GET', `/api/v1/internal/orgs/${acme}`, { headers: server.internal() });
    expect(json.organization).toMatchObject({
      id: acme,
      name: expect.any(String),
      slug: expect.any(String),
      idp_org_id: expect.any(String),
      company_code: 'ACME',
      hosting_type: 'cloud',
      status: 'active',
    });
  }),
  'identity-auth-records-user': deviates(
    '0022-what-strangers-learn',
    'as recorded; but the administrator of a new organization has an address that nobody has, or it is 409',
    async (server) => {
      const { json } = await server.send('GET', `/api/v1/internal/orgs/${acme}/users?limit=1`, {
        headers: server.internal(),
      });
      expect(json.data).toEqual([
        expect.objectContaining({
          id: expect.stringMatching(uuid),
          idp_user_id: expect.any(String),
          org_id: acme,
          account_state: expect.stringMatching(/^(active|disabled|pending|invited)$/),
          password_change_required: expect.any(Boolean),
          username: expect.any(String),
          email: expect.any(String),
        }),
      ]);
      const taken = { username: `boss-${randomUUID()}`, email: 'member@acme.test', password: 'Conforming-secret-1' };
      const company_code = `CONF-${randomUUID().slice(0, 8).toUpperCase()}`;
      const refused = await server.send('POST', '/api/v1/tenancy/organizations', {
        headers: (await server.owner()).headers,
        body: { name: company_code, company_code, app_ids: ['ticketing'], admin: taken },
      });
      expect([refused.status, refused.json.code]).toEqual([409, 'EMAIL_TAKEN']);
    },
  ),
  'identity-auth-records-refresh-session': shownBy(records, 'Refresh session: one per live session'),
  'identity-auth-records-magic-link-token': shownBy(records, '%s: one per user'),
  'identity-auth-records-password-reset-token': shownBy(records, '%s: one per user'),
  'identity-auth-records-local-license': shownBy(
    'test/identity/organizations/organizations.test.ts',
    'answers with a license key of so many days, and creates no administrator',
  ),
  'identity-auth-records-no-references': deviates(
    '0051-known-deviations',
    'records of one service refer to each other, and a job removes what has expired; clients see neither',
  ),
};

/** "Records of the core service (tenancy and identity subset)". */
export const coreRecords: Rows = {
  'identity-core-records-organizations': holds(async (server) => {
    const { headers } = await server.owner();
    const found = (await wholeList(server, '/api/v1/tenancy/organizations', headers)).find(({ id }) => id === acme);
    expect(found).toMatchObject({ id: acme, name: expect.any(String), status: 'active' });
  }, 'tier_id is kept, and shown by no route of the documents'),
  'identity-core-records-users': holds(async (server) => {
    const { headers, id } = await server.acmeAdmin();
    const { json } = await server.send('GET', me, { headers });
    expect(json.user).toMatchObject({
      id,
      email: 'orgadmin@acme.test',
      username: expect.any(String),
      first_name: expect.any(String),
      last_name: expect.any(String),
    });
  }),
  'identity-core-records-organization-members': shownBy(
    records,
    'organization_members: role and role_id are always equal',
  ),
  'identity-core-records-platform-members': holds(async (server) => {
    const { headers } = await server.owner();
    expect((await server.send('GET', me, { headers })).json.platform_role).toBe('PLATFORM_OWNER');
  }),
  'identity-core-records-workspaces-workspace-members': shownBy(records, 'workspace_members: one role for each person'),
  'identity-core-records-teams-team-members-team-workspace-roles': holds(async (server) => {
    const organization = await server.organization();
    const { id, headers } = await organization.member();
    const team = (await organization.ask('POST', '/teams', { body: { name: 'Granting' } })).json.data;
    await organization.ask('POST', `/teams/${team.id}/members`, { body: { user_id: id } });
    const workspace = (await organization.ask('POST', '/workspaces', { body: { name: 'Granted' } })).json.data;
    const granted = await organization.ask('POST', `/teams/${team.id}/workspaces`, {
      body: { workspace_id: workspace.id, role: 'VIEWER' },
    });
    expect(granted.status).toBe(201);
    const { json } = await server.send('GET', me, { headers });
    const found = json.org.workspaces.find((each: { id: string }) => each.id === workspace.id);
    expect(found?.permissions).toContain('catalogue:manage');
  }),
  'identity-core-records-roles-role-permissions': holds(async (server) => {
    const organization = await server.organization();
    const { json } = await organization.ask('GET', '/roles-matrix');
    const admin = json.data.roles.find(({ id }: { id: string }) => id === 'ORG_ADMIN');
    expect(admin).toMatchObject({ is_system: true, permissions: expect.arrayContaining(['org:users:invite']) });
  }),
  'identity-core-records-org-app-access-workspace-apps': shownBy(
    'test/identity/organizations/organizations.test.ts',
    'are inherited by its workspaces, which lose those that it loses',
  ),
  'identity-core-records-email-verification-codes': shownBy(
    'test/identity/organizations/self-signup.test.ts',
    'proves the address with six digits, and waits for approval',
  ),
  'identity-core-records-email-profiles-email-usage-mappings': holds(async (server) => {
    const organization = await server.organization();
    const { json } = await organization.ask('GET', '/email-usages');
    expect(Object.keys(json.data).toSorted()).toEqual(['password_reset', 'user_invite']);
  }),
  'identity-core-records-organization-id': shownBy(
    'test/identity/internal.test.ts',
    'record a person before their organization, once',
  ),
};
