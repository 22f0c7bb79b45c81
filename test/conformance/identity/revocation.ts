import { expect } from 'vitest';

import { until } from '../../support/until.ts';
import { deviates, holds, shownBy, type Rows } from '../framework/row.ts';
import type { Headers, Server } from '../framework/server.ts';
import { me } from './people.ts';

const blocked = (server: Server, headers: Headers) =>
  until('401 for a blocked token', async () => (await server.send('GET', me, { headers })).status === 401);

/** "Revocation". */
export const revocation: Rows = {
  'identity-revocation-1-block-time': holds(async (server) => {
    const organization = await server.organization();
    const [one, other] = [await organization.member(), await organization.member()];
    await organization.ask('PATCH', `/users/${one.id}/role`, { body: { role: 'ORG_MANAGER' } });
    await organization.ask('PATCH', `/users/${other.id}/status`, { body: { status: 'disabled' } });
    await blocked(server, one.headers);
    await blocked(server, other.headers);
  }),

  'identity-revocation-2-rejected': holds(async (server) => {
    const organization = await server.organization();
    const { id, headers, refreshToken } = await organization.member();
    await organization.ask('PATCH', `/users/${id}/role`, { body: { role: 'ORG_MANAGER' } });
    await blocked(server, headers);
    const { status, json } = await server.send('POST', '/api/v1/refresh', {
      body: { client_type: 'mobile', refresh_token: refreshToken },
    });
    expect(status).toBe(200);
    const again = await server.send('GET', me, { headers: { authorization: `Bearer ${json.access_token}` } });
    expect([again.status, again.json.org.role]).toEqual([200, 'ORG_MANAGER']);
  }),

  'identity-revocation-3-fails-open': {
    ...shownBy(
      'subgraphs/identity/src/tokens/revocations.test.ts',
      'a token is valid for reading only, unless the operator says otherwise',
    ),
    ...deviates(
      '0051-known-deviations',
      'block times are kept in the database; while they can’t be read, a token is good for reading only (REVOCATION_FAIL)',
    ),
  },

  'identity-revocation-4-not-written': deviates(
    '0051-known-deviations',
    'the removal of a person and the end of an organization end their sessions too',
    async (server) => {
      const organization = await server.newOrganization();
      const removed = await organization.member();
      await organization.ask('DELETE', `/users/${removed.id}`);
      await blocked(server, removed.headers);
      await organization.ask('PUT', '/status', {
        headers: (await server.owner()).headers,
        body: { status: 'disabled' },
      });
      await blocked(server, organization.admin.headers);
    },
  ),
};
