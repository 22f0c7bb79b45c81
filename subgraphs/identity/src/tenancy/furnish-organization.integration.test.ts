import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, expect, it } from 'vitest';

import * as fixture from '../testing/organization-fixture.ts';
import { startScratchIdentity, type ScratchIdentity } from '../testing/scratch-identity.ts';

let house: ScratchIdentity;

beforeAll(async () => {
  house = await startScratchIdentity();
});

afterAll(() => house.stop());

const setStatus = `mutation ($input: SetOrganizationStatusInput!) { setOrganizationStatus(input: $input) { status } }`;

it('an approval makes an administrator only in an organization that nobody is in yet', async () => {
  const { accessToken: token } = await house.signedIn('admin@foyer.test', 'PLATFORM');
  const organizationId = await fixture.createOrganization(house.db);
  await fixture.createMember(house.db, organizationId, 'ORG_MEMBER');
  const email = `${randomUUID()}@applicant.test`;
  await house.db.authOrganization.update({
    where: { id: organizationId },
    data: { status: 'pending', idpOrgId: null, applicantEmail: email, applicantUsername: email },
  });

  const { error } = await house.ask(setStatus, { input: { organizationId, status: 'ACTIVE' } }, { token });

  expect(error?.['reason']).toBe('ORGANIZATION_IN_USE');
  expect(await house.db.organizationMember.findMany({ where: { organizationId } })).toMatchObject([
    { role: 'ORG_MEMBER' },
  ]);
  expect(await house.provider.findUsers(email)).toEqual([]); // what the provider had made is taken back
});
