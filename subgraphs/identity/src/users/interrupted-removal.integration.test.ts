import { demo } from '@foyer/shared/demo';
import { waitsForALock } from '@foyer/prisma/testing/waits-for-a-lock';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Identity } from '../app.ts';
import { startTestIdentity, type TestIdentity } from '../testing/test-identity.ts';
import { newLinkToken } from '../tokens/link-token.ts';

const { organizationId } = demo.acme;

let identity: TestIdentity;
/** An instance whose identity provider is down. */
let cutOff: Identity;
let token: string;

beforeAll(async () => {
  identity = await startTestIdentity();
  cutOff = await identity.open({ IDP_URL: 'http://127.0.0.1:1' });
  token = (await identity.loggedIn('orgadmin@acme.test', 'ACME')).accessToken;
});

afterAll(async () => {
  await cutOff.stop();
  await identity.stop();
});

const inviteUser = `mutation ($id: ID!, $input: InviteUserInput!) { inviteUser(organizationId: $id, input: $input) { id } }`;
const reinviteUser = `mutation ($id: ID!, $userId: ID!) { reinviteUser(organizationId: $id, userId: $userId) { id } }`;
const removeMember = `mutation ($input: RemoveMemberInput!) { removeMember(input: $input) }`;
const setStatus = `mutation ($input: SetMemberStatusInput!) { setMemberStatus(input: $input) { accountState } }`;
const redeemMagicLink = `mutation ($input: RedeemMagicLinkInput!) { redeemMagicLink(input: $input) { accessToken } }`;

/** Invites somebody. @returns their id, and the token of their link */
async function invited(email: string) {
  const input = { username: email, email, givenName: 'Mei', familyName: 'Lim' };
  const { data } = await identity.ask(inviteUser, { id: organizationId, input }, { token });
  const { id } = (data ?? {})['inviteUser'] as { id: string };
  const link = newLinkToken();
  await identity.db.magicLink.update({ where: { userId: id }, data: { tokenHash: link.hash } });
  return { id, link: link.token };
}

const remove = (userId: string, instance?: Identity) =>
  identity.ask(removeMember, { input: { organizationId, userId } }, { token, ...(instance && { instance }) });
const enable = (userId: string) =>
  identity.ask(setStatus, { input: { organizationId, userId, status: 'ACTIVE' } }, { token });
const redeem = (link: string) => identity.ask(redeemMagicLink, { input: { token: link, platform: 'MOBILE' } });
const stateOf = async (id: string) => (await identity.db.authUser.findUniqueOrThrow({ where: { id } })).accountState;

describe('a removal that the identity provider interrupts', () => {
  it('leaves an invited person invited, without a link: nobody can enable them, but another invitation may follow', async () => {
    const { id, link } = await invited('unarrived@acme.test');
    expect((await remove(id, cutOff)).error?.['reason']).toBe('IDENTITY_PROVIDER_DOWN');

    expect((await enable(id)).error?.['reason']).toBe('ACCOUNT_INVITED');
    expect((await redeem(link)).error?.['reason']).toBe('MAGIC_LINK_INVALID');
    expect((await identity.ask(reinviteUser, { id: organizationId, userId: id }, { token })).error).toBeUndefined();

    expect((await remove(id)).data).toEqual({ removeMember: id });
    expect(await identity.db.authUser.count({ where: { id } })).toBe(0);
  });

  it('disables a person who used the link at that moment', async () => {
    const { id } = await invited('arriving@acme.test');
    const removing = await identity.db.$transaction(async (tx) => {
      await tx.authUser.update({ where: { id }, data: { accountState: 'active' } });
      const answer = remove(id, cutOff);
      await waitsForALock(identity.db);
      return { answer };
    });

    expect((await removing.answer).error?.['reason']).toBe('IDENTITY_PROVIDER_DOWN');
    expect(await stateOf(id)).toBe('disabled');
  });
});
