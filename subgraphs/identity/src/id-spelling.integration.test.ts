import { demo } from '@foyer/shared/demo';
import { parse, subscribe } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { obstruct } from './testing/obstructed-provider.ts';
import { password, startTestIdentity, type TestIdentity } from './testing/test-identity.ts';

let identity: TestIdentity;
const platform = demo.platform.organizationId;
const acme = demo.acme.organizationId;

beforeAll(async () => {
  identity = await startTestIdentity();
});

afterAll(() => identity.stop());

const setStatus = `mutation ($input: SetMemberStatusInput!) { setMemberStatus(input: $input) { accountState } }`;
const remove = `mutation ($input: RemoveMemberInput!) { removeMember(input: $input) }`;
const setOrganization = `mutation ($input: SetOrganizationStatusInput!) { setOrganizationStatus(input: $input) { status } }`;
const reinvite = `mutation ($organizationId: ID!, $userId: ID!) {
  reinviteUser(organizationId: $organizationId, userId: $userId) { id }
}`;

const idOf = async (email: string) => (await identity.db.authUser.findFirstOrThrow({ where: { email } })).id;

/** Creates a member of an organization with a role. */
async function someone(companyCode: string, name: string, role: string) {
  const { id: organizationId, idpOrgId } = await identity.db.authOrganization.findUniqueOrThrow({
    where: { companyCode },
  });
  const email = `${name}@spelling.test`;
  const person = { username: email, email, givenName: name, familyName: 'Lim', password };
  await identity.provider.createUser({ organizationId: idpOrgId ?? '', ...person });
  await identity.loggedIn(email, companyCode);
  const userId = await idOf(email);
  await identity.db.organizationMember.createMany({
    data: [{ organizationId, userId, role, roleId: role }],
    skipDuplicates: true,
  });
  return { userId, token: (await identity.loggedIn(email, companyCode)).accessToken };
}

describe('an id in capitals', () => {
  it('lets no administrator disable or remove the last owner of the platform', async () => {
    const deputy = await someone('PLATFORM', 'deputy', 'ORG_ADMIN');
    const owner = (await identity.loggedIn('admin@foyer.test', 'PLATFORM')).accessToken;
    const userId = (await idOf('admin@foyer.test')).toUpperCase();
    for (const [token, reason] of [
      [deputy.token, 'ROLE_ABOVE_OWN'],
      [owner, 'LAST_PLATFORM_OWNER'],
    ] as const) {
      const disabled = await identity.ask(
        setStatus,
        { input: { organizationId: platform, userId, status: 'DISABLED' } },
        { token },
      );
      const removed = await identity.ask(remove, { input: { organizationId: platform, userId } }, { token });
      expect([disabled.error?.['reason'], removed.error?.['reason']]).toEqual([reason, reason]);
    }
  });

  it('does not let people give themselves another role', async () => {
    const { token, userId } = await someone('ACME', 'climber', 'ORG_ADMIN');
    const input = { organizationId: acme, userId: userId.toUpperCase(), role: 'ORG_OWNER' };
    const { error } = await identity.ask(
      `mutation ($input: SetMemberRoleInput!) { setMemberRole(input: $input) { role } }`,
      { input },
      { token },
    );
    expect(error?.['reason']).toBe('OWN_ROLE');
  });

  it('ends the stream of the person who was disabled by it', async () => {
    const { accessToken: admin } = await identity.loggedIn('orgadmin@acme.test', 'ACME');
    const { token, userId } = await someone('ACME', 'listener', 'ORG_MEMBER');
    const { viewer } = await identity.subgraph.authenticate({ authorization: `Bearer ${token}` });
    const leaving = new AbortController();
    const scope = {
      requestId: 'stream',
      viewer,
      client: { address: '192.0.2.1', userAgent: 'a browser' },
      signal: leaving.signal,
      reply: { cookies: [] },
    };
    const events = (await subscribe({
      schema: identity.subgraph.schema,
      document: parse('subscription { sessionRevoked { reason } }'),
      contextValue: identity.subgraph.contextFor(scope),
    })) as AsyncGenerator;

    const next = events.next();
    const input = { organizationId: acme, userId: userId.toUpperCase(), status: 'DISABLED' };
    expect((await identity.ask(setStatus, { input }, { token: admin })).error).toBeUndefined();

    expect(await next).toMatchObject({ value: { data: { sessionRevoked: { reason: 'account_disabled' } } } });
    leaving.abort();
  });

  it('is counted by the limit of invitations like the id in small letters', async () => {
    const { accessToken: token } = await identity.loggedIn('orgadmin@acme.test', 'ACME');
    const email = 'abcdef@spelling.test';
    const { id } = await identity.db.authUser.create({
      data: { idpUserId: 'invited-1', orgId: acme, accountState: 'invited', username: email, email },
    });
    await identity.db.user.create({ data: { id, organizationId: acme, username: email, email } });
    const spellings = Array.from({ length: 6 }, (_, index) => (index % 2 ? id.toUpperCase() : id));
    const reasons = [];
    for (const userId of spellings)
      reasons.push((await identity.ask(reinvite, { organizationId: acme, userId }, { token })).error?.['reason']);
    expect(reasons.lastIndexOf('RATE_LIMITED')).toBe(5);
    expect(reasons.indexOf('RATE_LIMITED')).toBe(5);
  });

  it('waits for the approval that is under way, like the id in small letters', async () => {
    const provider = await obstruct(identity.providerUrl);
    const other = await identity.open({ IDP_URL: provider.url });
    const { id } = await identity.db.authOrganization.create({
      data: {
        id: 'abcdefab-cdef-4abc-8def-abcdefabcdef',
        name: 'Kiosk',
        slug: 'kiosk',
        companyCode: 'KIOSK',
        status: 'pending',
        applicantEmail: 'kiosk@spelling.test',
        applicantUsername: 'kiosk@spelling.test',
        applicantGivenName: 'Siti',
        applicantFamilyName: 'Aminah',
      },
    });
    await identity.db.organization.create({ data: { id, name: 'Kiosk', status: 'pending' } });
    const { accessToken: token } = await identity.loggedIn('admin@foyer.test', 'PLATFORM');
    const approve = (organizationId: string) =>
      identity.ask(setOrganization, { input: { organizationId, status: 'ACTIVE' } }, { token, instance: other });
    const leaseQueries = () => identity.queries.filter((sql) => sql.includes('rate_limits')).length;

    const waiting = provider.hold('AddOrganization');
    const first = approve(id);
    await waiting.done;
    const before = leaseQueries();
    const second = approve(id.toUpperCase());
    await expect.poll(leaseQueries).toBeGreaterThan(before + 1);
    waiting.release();

    const active = { setOrganizationStatus: { status: 'ACTIVE' } };
    expect((await Promise.all([first, second])).map(({ data }) => data)).toEqual([active, active]);
    await other.stop();
    await provider.stop();
  });
});

describe('a UUID in another spelling', () => {
  const bare = acme.replaceAll('-', '');
  it.each([`{${acme}}`, `urn:uuid:${acme}`, bare, `{${bare}}`, `${bare.slice(0, 4)}-${bare.slice(4)}`])(
    'such as %s is refused before the database is queried',
    async (id) => {
      const { accessToken: token } = await identity.loggedIn('admin@foyer.test', 'PLATFORM');
      for (const document of [
        'query ($id: ID!) { organization(id: $id) { id } }',
        'mutation ($id: ID!) { setOrganizationStatus(input: { organizationId: $id, status: ACTIVE }) { id } }',
        'mutation ($id: ID!) { setOrganizationApps(input: { organizationId: $id, appIds: [] }) { id } }',
      ]) {
        const { error } = await identity.ask(document, { id }, { token });
        expect(error).toMatchObject({ code: 'BAD_USER_INPUT', reason: 'VALIDATION_FAILED' });
      }
    },
  );
});
