import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, expect, it } from 'vitest';

import * as fixture from '../testing/organization-fixture.ts';
import { startTestIdentity, type TestIdentity } from '../testing/test-identity.ts';

let identity: TestIdentity;

beforeAll(async () => {
  identity = await startTestIdentity();
});

afterAll(() => identity.stop());

const setStatus = `mutation ($input: SetOrganizationStatusInput!) { setOrganizationStatus(input: $input) { status } }`;

it('an approval creates an administrator only in an organization without members', async () => {
  const { accessToken: token } = await identity.loggedIn('admin@foyer.test', 'PLATFORM');
  const organizationId = await fixture.createOrganization(identity.db);
  await fixture.createMember(identity.db, organizationId, 'ORG_MEMBER');
  const email = `${randomUUID()}@applicant.test`;
  await identity.db.authOrganization.update({
    where: { id: organizationId },
    data: { status: 'pending', idpOrgId: null, applicantEmail: email, applicantUsername: email },
  });

  const { error } = await identity.ask(setStatus, { input: { organizationId, status: 'ACTIVE' } }, { token });

  expect(error?.['reason']).toBe('ORGANIZATION_IN_USE');
  expect(await identity.db.organizationMember.findMany({ where: { organizationId } })).toMatchObject([
    { role: 'ORG_MEMBER' },
  ]);
  expect(await identity.provider.findUsers(email)).toEqual([]); // what the provider created is deleted again
});
