import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { password, startTestIdentity, type TestIdentity } from '../testing/test-identity.ts';

let identity: TestIdentity;
let token: string;
let acme: { id: string; idpOrgId: string | null };

beforeAll(async () => {
  identity = await startTestIdentity();
  acme = await identity.db.authOrganization.findUniqueOrThrow({ where: { companyCode: 'ACME' } });
  ({ accessToken: token } = await identity.loggedIn('orgadmin@acme.test', 'ACME'));
});

afterAll(() => identity.stop());

const document = `mutation ($id: ID!, $input: InviteUserInput!) {
  inviteUser(organizationId: $id, input: $input) { id name username email organization { name } }
}`;
const remove = `mutation ($input: RemoveMemberInput!) { removeMember(input: $input) }`;
const again = `mutation ($id: ID!, $userId: ID!) { reinviteUser(organizationId: $id, userId: $userId) { id } }`;
const invite = (username: string, email = username) =>
  identity.ask(document, { id: acme.id, input: { username, email, givenName: 'Mei', familyName: 'Lim' } }, { token });
const reinvite = (userId: unknown, as = token) => identity.ask(again, { id: acme.id, userId }, { token: as });

/** Creates a person of an organization that the inviter does not know, like a customer. */
async function stranger(username: string, email = username) {
  const organizationId = await identity.provider.createOrganization(`Elsewhere ${username}`);
  await identity.provider.createUser({ organizationId, username, email, givenName: 'A', familyName: 'B', password });
}

describe('inviting somebody who is known elsewhere at the provider', () => {
  it('gets the same answer as for others, whether the address or the user name is taken there', async () => {
    await stranger('mei@customers.test');
    await stranger('another-name', 'raj@customers.test');

    const answers = [];
    for (const email of ['mei@customers.test', 'raj@customers.test', 'nobody@customers.test']) {
      const { data, error } = await invite(email);
      expect(error).toBeUndefined();
      expect(data?.['inviteUser']).toMatchObject({ username: email, email });
      answers.push(
        JSON.stringify(data)
          .replaceAll(/"id":"[^"]+"/g, '')
          .replaceAll(email, 'X'),
      );
    }

    expect(new Set(answers).size).toBe(1);
  });

  it('gives them a login name of their own, which the e-mail contains, and the other person keeps theirs', async () => {
    await stranger('siti@customers.test');
    const { data } = await invite('siti@customers.test');
    const { id } = (data ?? {})['inviteUser'] as { id: string };
    const account = await identity.db.authUser.findUniqueOrThrow({ where: { id } });
    expect(account.username).toBe('acme/siti@customers.test');

    await identity.provider.setPassword(account.idpUserId, 'Siti-Secret-1');
    await identity.db.authUser.update({ where: { id }, data: { accountState: 'active' } });
    for (const name of ['siti@customers.test', 'acme/siti@customers.test'])
      expect((await identity.login(name, 'ACME', { password: 'Siti-Secret-1' })).data).not.toBeNull();
    const [there] = await identity.provider.findUsers('siti@customers.test');
    await expect(
      identity.provider.openSession({
        loginName: there?.loginName ?? '',
        password,
        lifetimeSeconds: 60,
        device: { address: '', description: '' },
      }),
    ).resolves.toBeTypeOf('string');
  });

  it('is refused for an address or a name of the own organization, in any case, and for one of two at once', async () => {
    expect((await invite('x', 'MEMBER@acme.test')).error?.['reason']).toBe('EMAIL_TAKEN');
    await invite('own-name', 'own@acme.test');
    expect((await invite('OWN-name', 'other@acme.test')).error?.['reason']).toBe('USERNAME_TAKEN');
    await identity.provider.createUser({
      organizationId: acme.idpOrgId ?? '',
      username: 'not-yet-here',
      email: 'notyet@acme.test',
      givenName: 'N',
      familyName: 'Y',
      password,
    });
    expect((await invite('notyet', 'notyet@acme.test')).error?.['reason']).toBe('EMAIL_TAKEN');
    expect((await invite('notyet@acme.test', 'unlike@acme.test')).error?.['reason']).toBe('USERNAME_TAKEN');

    const both = await Promise.all([invite('twin-1', 'twin@acme.test'), invite('twin-2', 'twin@acme.test')]);
    expect(both.map(({ error }) => error?.['reason'] ?? 'done')).toEqual(
      expect.arrayContaining(['EMAIL_TAKEN', 'done']),
    );
    const atProvider = await identity.provider.findUsers('twin@acme.test');
    expect(atProvider).toHaveLength(1);
  });
});

describe('inviting somebody as whom a colleague could log in', () => {
  it('is refused for a user name that is a colleague’s address, and for an address that is a colleague’s user name', async () => {
    expect((await invite('Member@acme.test', 'unlike@acme.test')).error?.['reason']).toBe('USERNAME_TAKEN');
    await invite('named@elsewhere.test', 'plain@acme.test');
    expect((await invite('unlike', 'NAMED@elsewhere.test')).error?.['reason']).toBe('EMAIL_TAKEN');
  });

  it('succeeds for one of two at once, of whom each has the other’s name as an address', async () => {
    for (let round = 0; round < 4; round++) {
      const name = `crosswise-${round}@acme.test`;
      const both = await Promise.all([invite(name, `other-${round}@acme.test`), invite(`plain-${round}`, name)]);
      expect(both.filter(({ error }) => error === undefined)).toHaveLength(1);
      const here = { OR: [{ username: name }, { email: name }] };
      expect(await identity.db.authUser.count({ where: here })).toBe(1);
    }
  });
});

describe('inviting again', () => {
  it('mails one person five times an hour, and then answers RATE_LIMITED with the seconds to wait', async () => {
    const { data } = await invite('often@acme.test');
    const { id } = (data ?? {})['inviteUser'] as { id: string };
    for (let count = 0; count < 5; count++) expect((await reinvite(id)).error).toBeUndefined();
    const { error } = await reinvite(id);
    expect(error).toMatchObject({ code: 'RATE_LIMITED', reason: 'RATE_LIMITED' });
    expect(error?.['retryAfter']).toBeGreaterThan(3_500);
  });

  it('by removing and inviting anew mails one address no more often', async () => {
    const { accessToken: owner } = await identity.loggedIn('orgadmin@acme.test', 'ACME');
    const inviteAndRemove = async (email: string) => {
      const { data, error } = await invite(email);
      const invited = (data ?? {})['inviteUser'] as { id: string } | null;
      if (!invited) return error?.['reason'];
      const input = { organizationId: acme.id, userId: invited.id };
      return (await identity.ask(remove, { input }, { token: owner })).error?.['reason'];
    };
    for (let count = 0; count < 5; count++) expect(await inviteAndRemove('back@acme.test')).toBeUndefined();
    expect(await inviteAndRemove('BACK@acme.test')).toBe('RATE_LIMITED');
    expect(await inviteAndRemove('front@acme.test')).toBeUndefined();
  });

  it('counts no attempt that sent no mail, for the invitee or the inviter', async () => {
    const { data } = await invite('later@acme.test');
    const { id } = (data ?? {})['inviteUser'] as { id: string };
    await identity.db.rateLimit.deleteMany({});
    const ofInvitations = { organizationId_usage: { organizationId: acme.id, usage: 'user_invite' } } as const;
    const mapping = await identity.db.emailUsageMapping.delete({ where: ofInvitations });
    for (let count = 0; count < 6; count++)
      expect((await reinvite(id)).error?.['reason']).toBe('EMAIL_PROFILE_MISSING');
    await identity.db.emailUsageMapping.create({ data: mapping });

    for (let count = 0; count < 5; count++) expect((await reinvite(id)).error).toBeUndefined();
    expect((await reinvite(id)).error?.['reason']).toBe('RATE_LIMITED');
    const counted = await identity.db.rateLimit.findFirst({ where: { bucket: { startsWith: 'reinvite-by:' } } });
    expect(counted?.failures).toBe(5);
  });

  it('mails thirty times an hour for one inviter, whomever they invite', async () => {
    const { accessToken: owner } = await identity.loggedIn('orgadmin@acme.test', 'ACME');
    await identity.db.rateLimit.deleteMany({});
    const ids = [];
    for (let count = 0; count < 7; count++) {
      const { data } = await invite(`many-${count}@acme.test`);
      ids.push(((data ?? {})['inviteUser'] as { id: string }).id);
    }
    const invited = ids.flatMap((id) => Array.from({ length: 5 }, () => id)).slice(0, 31);
    const reasons = [];
    for (const id of invited) reasons.push((await reinvite(id, owner)).error?.['reason']);
    expect(reasons).toEqual([...Array(30).fill(undefined), 'RATE_LIMITED']);
  });
});
