import { expect } from 'vitest';

import { deviates, holds, type Rows } from '../framework/row.ts';
import { openness } from '../framework/open-route.ts';
import type { Headers } from '../framework/server.ts';
import { acme, catalog, invited, me } from './people.ts';

const main = '0a0c0000-0000-4000-8000-000000000101';
const claimed = { 'x-organization-id': acme, 'x-workspace-id': main };

/** "Which routes are protected". */
export const protectedRoutes: Rows = {
  'identity-protected-tenancy-writes': holds(async (server) => {
    const organization = await server.organization();
    const { headers } = await organization.member();
    for (const [method, path, body] of [
      ['POST', '/teams', { name: 'No' }],
      ['POST', '/workspaces', { name: 'No' }],
      ['POST', '/roles', { name: 'No', scope: 'workspace', description: '', permissions: [] }],
      ['PATCH', `/workspaces/${organization.workspaceId}`, { name: 'No' }],
    ] as const)
      for (const [who, status] of [
        [{} as Headers, 401],
        [headers, 403],
      ] as const)
        expect([path, (await organization.ask(method, path, { headers: who, body })).status]).toEqual([path, status]);
  }),

  'identity-protected-tenancy-reads': deviates(
    '0051-known-deviations',
    'only people of the organization, and of the platform',
    async (server) => {
      const other = await server.newOrganization();
      for (const list of ['users', 'roles', 'roles-matrix', 'workspaces', 'teams']) {
        const statusFor = async (headers: Headers) => (await other.ask('GET', `/${list}`, { headers })).status;
        const answers = [
          await statusFor({}),
          await statusFor((await server.acmeAdmin()).headers),
          await statusFor((await other.member()).headers),
          await statusFor((await server.owner()).headers),
        ];
        expect([list, ...answers]).toEqual([list, 401, 403, 200, 200]);
      }
    },
  ),

  'identity-protected-me': deviates(
    '0051-known-deviations',
    'Foyer has no /ai, /chat and concierge routes: 404, with a token or without',
    async (server) => {
      expect((await server.send('GET', me)).status).toBe(401);
      expect((await server.send('GET', me, { headers: (await server.acmeAdmin()).headers })).status).toBe(200);
      for (const path of ['/ai/anything', '/chat/anything']) expect((await server.send('GET', path)).status).toBe(404);
    },
  ),

  'identity-protected-ticketing-admin': holds(async (server) => {
    const path = `/api/orderTicketGroups/management?workspaceId=${main}`;
    expect((await server.send('GET', path)).status).toBe(401);
    expect((await server.send('GET', path, { headers: (await server.acmeAdmin()).headers })).status).toBe(200);
    expect((await server.send('GET', path, { headers: (await server.customer()).headers })).status).toBe(403);
  }, 'no document names a path with a workspace id: the workspace comes as a parameter, or is that of the caller'),

  'identity-protected-open-routes': {
    ...holds(async (server) => {
      for (const [path, headers] of [
        ['/api/media/?tenant=acme', {}],
        ['/channels', {}],
        ['/streamers', {}],
        ['/api/v1/campaigns', claimed],
      ] as const) {
        const { status } = await server.send('GET', path, { headers });
        expect([path, status]).toEqual([path, server.mode === 'documented' ? 200 : 401]);
      }
      const { status } = await server.send('GET', '/api/v1/me', { headers: claimed });
      expect([200, 401]).toContain(status);
      expect(status).toBe(server.mode === 'documented' ? 200 : 401);
    }, 'strict mode asks for a token'),
    decision: openness,
  },

  'identity-protected-ticketing-public': holds(async (server) => {
    const open = await server.send('POST', '/payment/bankList', { body: { mode: 'individual' } });
    expect(open.status).toBe(200);
    const { custId, email } = await server.customer();
    const profile = await server.send('GET', `/api/customer/profile?custId=${custId}`);
    const answered = server.mode === 'strict' ? 401 : 200;
    expect([profile.status, profile.text.includes(email)]).toEqual([answered, false]);
  }, 'without a token, contact data is masked; strict asks for one'),

  'identity-protected-internal': holds(async (server) => {
    const path = `/api/v1/internal/orgs/${acme}/users`;
    expect((await server.send('GET', path)).status).toBe(401);
    expect((await server.send('GET', path, { headers: (await server.owner()).headers })).status).toBe(401);
    expect((await server.send('GET', path, { headers: server.internal() })).status).toBe(200);
  }),

  'identity-protected-group': holds(async (server) => {
    expect((await catalog(server)).status).toBe(200);
    expect((await server.send('GET', '/api/v1/no-such-route')).status).toBe(404);
  }),
};

/** "Events". */
export const events: Rows = {
  'identity-events-session-revoked': holds(async (server) => {
    const { headers } = await server.login('member@acme.test', 'ACME');
    const other = await server.login('member@acme.test', 'ACME');
    const leaving = new AbortController();
    const stream = await fetch(new URL('/api/v1/sessions/stream', server.url), { headers, signal: leaving.signal });
    await server.send('POST', '/api/v1/protected/logout', { headers: other.headers });
    let text = '';
    for await (const chunk of stream.body ?? []) {
      text += Buffer.from(chunk).toString();
      if (text.includes('event: session_revoked')) break;
    }
    leaving.abort();
    expect(text).toContain('event: session_revoked');
  }),

  'identity-events-one-replica': deviates(
    '0051-known-deviations',
    'events come from every replica, and a console hears what it missed (Last-Event-ID)',
  ),

  'identity-events-mails': holds(async (server) => {
    const { answer, link } = await invited(server);
    expect([answer.status, link]).toEqual([201, expect.stringContaining('token=')]);
  }, 'the reset link: identity-flows-3-reset; the temporary password: identity-organization-status-pending-to-active'),
};
