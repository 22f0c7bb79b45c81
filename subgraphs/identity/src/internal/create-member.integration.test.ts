import { demo } from '@foyer/shared/demo';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { password, startTestIdentity, type TestIdentity } from '../testing/test-identity.ts';

let identity: TestIdentity;

beforeAll(async () => {
  identity = await startTestIdentity();
});

afterAll(() => identity.stop());

const document = `mutation ($input: CreateMemberInput!) { createMember(input: $input) { id username } }`;
/** Creates a person as a service does. */
const create = (username: string, email: string, organizationId: string = demo.acme.organizationId) => {
  const input = { organizationId, username, email, givenName: 'Mei', familyName: 'Lim', password };
  return identity.ask(document, { input }, { viewer: { kind: 'service' } });
};

describe('a person whom a service creates', () => {
  it('has neither the address nor the user name of a colleague, in any case and as either', async () => {
    expect((await create('unlike', 'MEMBER@acme.test')).error?.['reason']).toBe('EMAIL_TAKEN');
    expect((await create('Member@acme.test', 'unlike@acme.test')).error?.['reason']).toBe('USERNAME_TAKEN');
    expect(await identity.provider.findUsers('unlike')).toEqual([]);
    expect(await identity.provider.findUsers('unlike@acme.test')).toEqual([]);
  });

  it('is one of two with the same address who are created at once', async () => {
    const both = await Promise.all([create('twin-1', 'twin@acme.test'), create('twin-2', 'twin@acme.test')]);
    const reasons = both.map(({ error }) => error?.['reason'] ?? 'done');
    expect(reasons).toEqual(expect.arrayContaining(['EMAIL_TAKEN', 'done']));
    expect(await identity.provider.findUsers('twin@acme.test')).toHaveLength(1);
  });

  it('is in the audit log', async () => {
    const { data } = await create('written', 'written@acme.test');
    const { id: targetId } = (data ?? {})['createMember'] as { id: string };
    expect(await identity.db.auditEntry.findMany({ where: { targetId } })).toMatchObject([
      { organizationId: demo.acme.organizationId, action: 'user.created', actorId: null, outcome: 'done' },
    ]);
  });

  it('is recorded with a place in the organization, or not at all', async () => {
    const idpOrgId = await identity.provider.createOrganization('Half known');
    const { id } = await identity.db.authOrganization.create({
      data: { idpOrgId, name: 'Half known', slug: 'half', companyCode: 'HALF', status: 'active' },
    });
    expect((await create('nowhere', 'nowhere@half.test', id)).error?.['reason']).toBe('ORGANIZATION_NOT_FOUND');
    expect(await identity.db.authUser.count({ where: { orgId: id } })).toBe(0);
    expect(await identity.provider.findUsers('nowhere')).toEqual([]);
  });
});
