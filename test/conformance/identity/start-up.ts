import { expect } from 'vitest';

import { holds, notApplicable, shownBy, type Rows } from '../framework/row.ts';

const startUp = 'subgraphs/identity/src/start-up/start-up.integration.test.ts';
const platform = '00000000-0000-0000-0000-000000000001';

/** "Start-up sequence (empty store)", and "Identity provider usage". */
export const startUpSequence: Rows = {
  'identity-start-up-order': shownBy('test/identity/start-up-sequence.test.ts', 'runs once when two servers start'),
  'identity-start-up-every-start': shownBy(startUp, 'changes nothing when it runs again'),
  'identity-start-up-step-0-human': shownBy(startUp, 'waits for the human of step 0'),
  'identity-start-up-step-1-auth-records': notApplicable(
    'one set of migrations makes the records of both services, before anything else starts',
  ),

  'identity-start-up-step-2-platform-organization': holds(async (server) => {
    const { json } = await server.send('GET', `/api/v1/internal/orgs/${platform}`, { headers: server.internal() });
    expect(json.organization).toMatchObject({ id: platform, name: expect.any(String), status: 'active' });
  }),

  'identity-start-up-step-3-bootstrap': holds(async (server) => {
    const { json } = await server.send('GET', `/api/v1/internal/orgs/${platform}`, { headers: server.internal() });
    expect(json.organization).toMatchObject({ company_code: 'PLATFORM', idp_org_id: expect.stringMatching(/\S/) });
    await server.owner();
  }),

  'identity-start-up-step-4-license-guard': shownBy(
    'subgraphs/identity/src/start-up/license-step.integration.test.ts',
    'starts blocked: nobody logs in before the start-up, and afterwards everybody who could before',
  ),
  'identity-start-up-step-5-core-records': notApplicable(
    'one set of migrations makes the records of both services, before anything else starts',
  ),
  'identity-start-up-step-6-core-seed': shownBy(
    startUp,
    'brings 13 roles with their grants, the apps, 6 organizations',
  ),

  'identity-start-up-step-7-platform-seed': holds(async (server) => {
    const { headers } = await server.owner();
    const { json } = await server.send('GET', '/api/v1/identity/users/me', { headers });
    expect([json.platform_role, json.org.role]).toEqual(['PLATFORM_OWNER', 'ORG_ADMIN']);
    expect(json.org.workspaces.map(({ name }: { name: string }) => name)).toContain('Default');
  }),

  'identity-start-up-step-8-ticketing-workspace': shownBy(startUp, 'makes every platform member its WORKSPACE_ADMIN'),
  'identity-start-up-1-administrator-not-member': shownBy(
    'test/identity/start-up-sequence.test.ts',
    'rule 1: an administrator who is no member of the platform organization',
  ),
  'identity-start-up-2-license-company-code': shownBy('test/identity/license.test.ts', 'rule 2: refuses every login'),
  'identity-start-up-3-inserts-only': shownBy(startUp, 'rule 3: only inserts: new grants come'),
  'identity-start-up-3-custom-roles': shownBy(startUp, 'rule 3: only inserts: new grants come'),
  'identity-start-up-4-bootstrap-once': shownBy(startUp, 'rule 4: skips when the platform organization has any user'),

  'identity-identity-provider-v2-only': shownBy(
    'subgraphs/identity/src/adapters/identity-provider.integration.test.ts',
    'has received and sent only fields of the official descriptors',
  ),
  'identity-identity-provider-no-oidc': holds(async (server) => {
    for (const path of ['/oauth/v2/authorize', '/.well-known/openid-configuration', '/oauth2/callback'])
      expect([path, (await server.send('GET', path)).status]).toEqual([path, 404]);
  }),
  'identity-identity-provider-not-logged': shownBy(
    'test/identity/sessions/token-mix-ups.test.ts',
    'contains nothing of the exchange with the identity provider, and no token of ours',
  ),
};
