import { demo } from '@foyer/shared/demo';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { password, startTestIdentity, type TestIdentity } from '../testing/test-identity.ts';

let identity: TestIdentity;
const platform = demo.platform.organizationId;
const acme = demo.acme.organizationId;

beforeAll(async () => {
  identity = await startTestIdentity();
});

afterAll(() => identity.stop());

const setStatus = `mutation ($input: SetMemberStatusInput!) { setMemberStatus(input: $input) { accountState } }`;
const setRole = `mutation ($input: SetMemberRoleInput!) { setMemberRole(input: $input) { role } }`;
const remove = `mutation ($input: RemoveMemberInput!) { removeMember(input: $input) }`;
const setOrganization = `mutation ($input: SetOrganizationStatusInput!) { setOrganizationStatus(input: $input) { status } }`;

const idOf = async (email: string) => (await identity.db.authUser.findFirstOrThrow({ where: { email } })).id;

/** Creates an administrator of an organization, optionally with a role on the platform. */
async function administrator(companyCode: string, name: string, platformRole?: string) {
  const organization = await identity.db.authOrganization.findUniqueOrThrow({ where: { companyCode } });
  const email = `${name}@ranks.test`;
  const person = { username: email, email, givenName: name, familyName: 'Lim', password };
  await identity.provider.createUser({ organizationId: organization.idpOrgId ?? '', ...person });
  await identity.loggedIn(email, companyCode);
  const userId = await idOf(email);
  const role = { role: 'ORG_ADMIN', roleId: 'ORG_ADMIN' };
  await identity.db.organizationMember.create({ data: { organizationId: organization.id, userId, ...role } });
  if (platformRole) await identity.db.platformMember.create({ data: { userId, roleId: platformRole } });
  return { userId, email, token: (await identity.loggedIn(email, companyCode)).accessToken };
}

const disable = (token: string, organizationId: string, userId: string) =>
  identity.ask(setStatus, { input: { organizationId, userId, status: 'DISABLED' } }, { token });

describe('the rule of ranks', () => {
  it('covers the roles of the platform: an administrator of its organization can not change anybody above', async () => {
    const { token } = await administrator('PLATFORM', 'deputy');
    const above = [
      await idOf('admin@foyer.test'),
      (await administrator('PLATFORM', 'second', 'PLATFORM_ADMIN')).userId,
    ];
    for (const userId of above) {
      const member = { organizationId: platform, userId };
      const tried = [
        await disable(token, platform, userId),
        await identity.ask(setRole, { input: { ...member, role: 'ORG_MEMBER' } }, { token }),
        await identity.ask(remove, { input: member }, { token }),
      ];
      expect(tried.map(({ error }) => error?.['reason'])).toEqual(Array(3).fill('ROLE_ABOVE_OWN'));
    }
  });

  it('lets a platform owner change a platform administrator, and not the other way round', async () => {
    const owner = (await identity.loggedIn('admin@foyer.test', 'PLATFORM')).accessToken;
    const admin = await administrator('PLATFORM', 'third', 'PLATFORM_ADMIN');
    expect((await disable(admin.token, platform, await idOf('admin@foyer.test'))).error?.['reason']).toBe(
      'ROLE_ABOVE_OWN',
    );
    expect((await disable(owner, platform, admin.userId)).data).not.toBeNull();
  });
});

describe('an organization', () => {
  it('is not switched off by somebody above whom one of its people ranks on the platform', async () => {
    const { token } = await administrator('PLATFORM', 'fourth', 'PLATFORM_ADMIN');
    const { userId } = await administrator('ACME', 'above', 'PLATFORM_OWNER');
    const input = { organizationId: acme, status: 'DISABLED' };
    const off = () => identity.ask(setOrganization, { input }, { token });
    expect((await off()).error?.['reason']).toBe('ROLE_ABOVE_OWN');

    await identity.db.platformMember.update({ where: { userId }, data: { roleId: 'PLATFORM_ADMIN' } });
    expect((await off()).data).toEqual({ setOrganizationStatus: { status: 'DISABLED' } });
    await identity.ask(setOrganization, { input: { ...input, status: 'ACTIVE' } }, { token });
  });
});

describe('of two platform owners in different organizations', () => {
  const enableAll = () =>
    identity.db.authUser.updateMany({
      where: { email: { notIn: ['disabled@ranks.test', 'guest-disabled@ranks.test'] } },
      data: { accountState: 'active' },
    });
  /** Ranks as high as an owner but does not count as one: a disabled person with an older token. */
  const disabledOwner = async (companyCode: string, name: string) => {
    const { userId, token } = await administrator(companyCode, name, 'PLATFORM_OWNER');
    await identity.db.authUser.update({ where: { id: userId }, data: { accountState: 'disabled' } });
    return token;
  };
  let here: string;
  let there: string;

  it('exactly one stays when both leave at once', async () => {
    await administrator('ACME', 'stays');
    await administrator('PLATFORM', 'stays-too');
    const owner = await idOf('admin@foyer.test');
    const { userId: other } = await administrator('ACME', 'guest-owner', 'PLATFORM_OWNER');
    here = await disabledOwner('PLATFORM', 'disabled');
    there = await disabledOwner('ACME', 'guest-disabled');
    for (let round = 0; round < 6; round++) {
      await enableAll();
      const answers = await Promise.all([disable(here, platform, owner), disable(there, acme, other)]);
      const reasons = answers.map(({ error }) => error?.['reason'] ?? 'done');
      expect(reasons).toEqual(expect.arrayContaining(['LAST_PLATFORM_OWNER', 'done']));
    }
    await enableAll();
  });

  it('one who is disabled does not count as an owner', async () => {
    await identity.db.authUser.updateMany({
      where: { email: 'guest-owner@ranks.test' },
      data: { accountState: 'disabled' },
    });
    const gone = await disable(here, platform, await idOf('admin@foyer.test'));
    expect(gone.error?.['reason']).toBe('LAST_PLATFORM_OWNER');
    await enableAll();
  });

  it('the organization of the last one is not switched off', async () => {
    await identity.db.authUser.updateMany({ where: { email: 'admin@foyer.test' }, data: { accountState: 'disabled' } });
    const { accessToken: token } = await identity.loggedIn('guest-owner@ranks.test', 'ACME');
    const input = { organizationId: acme, status: 'DISABLED' };
    expect((await identity.ask(setOrganization, { input }, { token })).error?.['reason']).toBe('LAST_PLATFORM_OWNER');
    const deleted = await identity.ask('mutation ($id: ID!) { deleteOrganization(id: $id) }', { id: acme }, { token });
    expect(deleted.error?.['reason']).toBe('LAST_PLATFORM_OWNER');
    await enableAll();
  });
});
