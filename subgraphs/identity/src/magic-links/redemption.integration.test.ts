import { afterAll, beforeAll, expect, it } from 'vitest';

import { startTestIdentity, type TestIdentity } from '../testing/test-identity.ts';
import { newLinkToken } from '../tokens/link-token.ts';

let identity: TestIdentity;

beforeAll(async () => {
  identity = await startTestIdentity();
});
afterAll(() => identity.stop());

const inviteUser = `mutation ($id: ID!, $input: InviteUserInput!) { inviteUser(organizationId: $id, input: $input) { id } }`;
const redeemMagicLink = `mutation ($input: RedeemMagicLinkInput!) {
  redeemMagicLink(input: $input) { user { email } accessToken }
}`;

/** Invites somebody. @returns their id, and the token of their link */
async function invited(email: string) {
  const { id: organizationId } = await identity.db.authOrganization.findUniqueOrThrow({
    where: { companyCode: 'ACME' },
  });
  const { accessToken } = await identity.loggedIn('orgadmin@acme.test', 'ACME');
  const input = { username: email, email, givenName: 'Mei', familyName: 'Lim' };
  const { data } = await identity.ask(inviteUser, { id: organizationId, input }, { token: accessToken });
  const { id } = (data ?? {})['inviteUser'] as { id: string };
  const { token, hash: tokenHash } = newLinkToken();
  await identity.db.magicLink.update({ where: { userId: id }, data: { tokenHash } });
  return { id, token };
}

const redeem = (token: string) => identity.ask(redeemMagicLink, { input: { token, platform: 'MOBILE' } });
const stateOf = async (id: string) => (await identity.db.authUser.findUniqueOrThrow({ where: { id } })).accountState;

it('a link whose session can not be opened stays usable, and its person invited', async () => {
  const { id, token } = await invited('unlucky@acme.test');
  const redeemed = { where: { action: 'invitation.redeemed', targetId: id } };
  await identity.db.$executeRaw`ALTER TABLE auth.refresh_sessions ADD CONSTRAINT no_more CHECK (false) NOT VALID`;
  expect((await redeem(token)).data).toBeNull();
  await identity.db.$executeRaw`ALTER TABLE auth.refresh_sessions DROP CONSTRAINT no_more`;
  expect(await stateOf(id)).toBe('invited');
  expect(await identity.db.auditEntry.count(redeemed)).toBe(0);

  const { data } = await redeem(token);

  expect(data?.['redeemMagicLink']).toMatchObject({
    user: { email: 'unlucky@acme.test' },
    accessToken: expect.any(String) as string,
  });
  expect(await stateOf(id)).toBe('active');
  expect(await identity.db.auditEntry.count(redeemed)).toBe(1);
  expect((await redeem(token)).error?.['reason']).toBe('MAGIC_LINK_INVALID');
});
