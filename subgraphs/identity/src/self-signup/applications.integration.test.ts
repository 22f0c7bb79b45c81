import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startTestIdentity, type TestIdentity } from '../testing/test-identity.ts';

let identity: TestIdentity;
let token: string;
let count = 0;

beforeAll(async () => {
  identity = await startTestIdentity();
  ({ accessToken: token } = await identity.loggedIn('admin@foyer.test', 'PLATFORM'));
});

afterAll(() => identity.stop());

const setStatus = `mutation ($input: SetOrganizationStatusInput!) { setOrganizationStatus(input: $input) { status } }`;
const edit = `mutation ($input: EditApplicationInput!) { editApplication(input: $input) { name companyCode username state } }`;
const read = `query ($organizationId: ID!) { application(organizationId: $organizationId) { name companyCode username email state } }`;

/** An application as self-signup records it. */
async function apply(changes: { name?: string; username?: string } = {}): Promise<string> {
  count += 1;
  const name = changes.name ?? `Applied ${count}`;
  const email = `applied${count}@applicant.test`;
  const { id } = await identity.db.authOrganization.create({
    data: {
      name,
      slug: `applied-${count}`,
      companyCode: `APPLIED${count}`,
      status: 'pending',
      applicantEmail: email,
      applicantUsername: changes.username ?? email,
      applicantGivenName: 'Siti',
      applicantFamilyName: 'Aminah',
      applicantState: 'pending',
    },
  });
  await identity.db.organization.create({ data: { id, name, status: 'pending' } });
  return id;
}

const decide = (organizationId: string, status: 'ACTIVE' | 'DISABLED') =>
  identity.ask(setStatus, { input: { organizationId, status } }, { token });
const change = (organizationId: string, input: object) =>
  identity.ask(edit, { input: { organizationId, ...input } }, { token });
const stateOf = async (organizationId: string) =>
  ((await identity.ask(read, { organizationId }, { token })).data?.['application'] as { state: string } | null)?.state;
const administrators = (organizationId: string) =>
  identity.db.organizationMember.count({ where: { organizationId, roleId: 'ORG_ADMIN' } });

describe('an application', () => {
  it('that was declined can be approved later, and then has its administrator', async () => {
    const id = await apply();
    expect(await stateOf(id)).toBe('PENDING');
    await decide(id, 'DISABLED');
    expect(await stateOf(id)).toBe('DECLINED');

    expect((await decide(id, 'ACTIVE')).data).toEqual({ setOrganizationStatus: { status: 'ACTIVE' } });

    expect([await stateOf(id), await administrators(id)]).toEqual(['ACTIVE', 1]);
  });

  it('that was approved is disabled and enabled again with its administrator', async () => {
    const id = await apply();
    for (const status of ['ACTIVE', 'DISABLED', 'ACTIVE'] as const)
      expect((await decide(id, status)).data).not.toBeNull();
    expect([await stateOf(id), await administrators(id)]).toEqual(['ACTIVE', 1]);
  });

  it('declined and approved at once has an administrator, or is declined', async () => {
    for (let round = 0; round < 4; round++) {
      const id = await apply();
      await Promise.all([decide(id, 'DISABLED'), decide(id, 'ACTIVE')]);
      const { status } = await identity.db.authOrganization.findUniqueOrThrow({ where: { id } });
      expect([status === 'active', await stateOf(id)]).not.toEqual([true, 'DECLINED']);
      expect(await administrators(id)).toBe((await stateOf(id)) === 'ACTIVE' ? 1 : 0);
    }
  });

  it('whose names are taken can be corrected, and then approved', async () => {
    const id = await apply({ name: 'Acme Attractions', username: 'orgadmin@acme.test' });
    const first = await decide(id, 'ACTIVE');
    expect(['ORGANIZATION_NAME_TAKEN', 'USERNAME_TAKEN']).toContain(first.error?.['reason']);
    expect((await change(id, { companyCode: 'acme' })).error?.['reason']).toBe('COMPANY_CODE_TAKEN');

    const repaired = await change(id, { organizationName: 'Acme of Ipoh', companyCode: 'ipoh', username: 'siti' });

    expect(repaired.data?.['editApplication']).toEqual({
      name: 'Acme of Ipoh',
      companyCode: 'IPOH',
      username: 'siti',
      state: 'PENDING',
    });
    expect((await decide(id, 'ACTIVE')).data).not.toBeNull();
    expect(await administrators(id)).toBe(1);
  });

  it('is corrected by the platform alone, and only until it is approved', async () => {
    const id = await apply();
    const { accessToken: stranger } = await identity.loggedIn('orgadmin@acme.test', 'ACME');
    const input = { organizationId: id, organizationName: 'Mine' };
    expect((await identity.ask(edit, { input }, { token: stranger })).error?.['code']).toBe('FORBIDDEN');
    await decide(id, 'ACTIVE');
    expect((await change(id, { organizationName: 'Late' })).error?.['reason']).toBe('APPLICATION_CLOSED');
    const { id: acme } = await identity.db.authOrganization.findUniqueOrThrow({ where: { companyCode: 'ACME' } });
    expect((await change(acme, { organizationName: 'Other' })).error?.['reason']).toBe('APPLICATION_NOT_FOUND');
  });
});
