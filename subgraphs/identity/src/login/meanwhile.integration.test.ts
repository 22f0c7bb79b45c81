import { demo } from '@foyer/shared/demo';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { startObstructedIdentity, type ObstructedIdentity } from '../testing/obstructed-identity.ts';
import { resetLinkFor } from '../testing/reset-link.ts';
import { password } from '../testing/test-identity.ts';

let own: ObstructedIdentity;
let identity: ObstructedIdentity['identity'];

beforeAll(async () => {
  own = await startObstructedIdentity();
  ({ identity } = own);
});
afterAll(() => own?.stop());
beforeEach(async () => {
  await identity.db.refreshSession.deleteMany();
  const { idpUserId } = await identity.db.authUser.findFirstOrThrow({ where: { email: EMAIL } });
  await identity.provider.setPassword(idpUserId, password);
});

const EMAIL = 'member@acme.test';
const CONFIRM = `mutation ($input: ConfirmPasswordResetInput!) { confirmPasswordReset(input: $input) { endedSessions } }`;
const LOG_OUT = 'mutation { logout { __typename } }';
const REVOKE_OTHERS = 'mutation { revokeOtherSessions { __typename } }';
const DELETE_ORGANIZATION = 'mutation ($id: ID!) { deleteOrganization(id: $id) }';
const REMOVE = `mutation ($input: RemoveMemberInput!) { removeMember(input: $input) }`;
const SET_STATUS = `mutation ($input: SetMemberStatusInput!) { setMemberStatus(input: $input) { __typename } }`;

const sessions = () => identity.db.refreshSession.count({ where: { user: { email: EMAIL } } });

/** Logs in, and does something while the provider has checked the password and not yet answered. */
async function logInAnd(meanwhile: () => Promise<void>, username = EMAIL) {
  const checked = own.provider.hold('CreateSession');
  const login = identity.login(username, 'ACME', {}, { instance: own.instance });
  await Promise.race([checked.done, login]); // a login that ends is one that was refused before
  await meanwhile();
  checked.release();
  return login;
}

describe('a login whose password has been checked', () => {
  it('opens no session when all were ended meanwhile, as by a new password', async () => {
    const { id: userId } = await identity.db.authUser.findFirstOrThrow({ where: { email: EMAIL } });
    const token = await resetLinkFor(identity.db, userId);
    const { error } = await logInAnd(async () => {
      const input = { token, password: 'Another-Secret-1' };
      expect((await identity.ask(CONFIRM, { input })).error).toBeUndefined();
    });
    expect(error?.['reason']).toBe('INVALID_CREDENTIALS');
    expect(await sessions()).toBe(0);
  });

  it('opens none when all others were ended meanwhile', async () => {
    const { accessToken: token } = await identity.loggedIn(EMAIL, 'ACME');
    const { error } = await logInAnd(async () => {
      expect((await identity.ask(REVOKE_OTHERS, {}, { token })).error).toBeUndefined();
    });
    expect(error?.['reason']).toBe('INVALID_CREDENTIALS');
    expect(await sessions()).toBe(1);
  });

  it('opens none when the account was disabled and enabled again meanwhile', async () => {
    const { accessToken: token } = await identity.loggedIn('orgadmin@acme.test', 'ACME');
    const { id: userId } = await identity.db.authUser.findFirstOrThrow({ where: { email: EMAIL } });
    const { error } = await logInAnd(async () => {
      for (const status of ['DISABLED', 'ACTIVE']) {
        const input = { organizationId: demo.acme.organizationId, userId, status };
        expect((await identity.ask(SET_STATUS, { input }, { token })).message).toBeUndefined();
      }
    });
    expect(error?.['reason']).toBe('INVALID_CREDENTIALS');
    expect(await sessions()).toBe(0);
  });

  it('records nobody who was recorded and removed meanwhile', async () => {
    const { organizationId } = demo.acme;
    const { idpOrgId } = await identity.db.authOrganization.findUniqueOrThrow({ where: { id: organizationId } });
    const email = 'leaving@acme.test';
    const names = { username: email, email, givenName: 'Mei', familyName: 'Lim' };
    const idpUserId = await identity.provider.createUser({ ...names, organizationId: idpOrgId ?? '', password });
    const { error } = await logInAnd(async () => {
      await identity.loggedIn(email, 'ACME');
      const { id: userId } = await identity.db.authUser.findUniqueOrThrow({ where: { idpUserId } });
      const membership = { organizationId, userId, role: 'ORG_MEMBER', roleId: 'ORG_MEMBER' };
      await identity.db.organizationMember.create({ data: membership });
      const { accessToken: token } = await identity.loggedIn('orgadmin@acme.test', 'ACME');
      expect((await identity.ask(REMOVE, { input: { organizationId, userId } }, { token })).message).toBeUndefined();
    }, email);
    expect(error?.['reason']).toBe('INVALID_CREDENTIALS');
    expect(await identity.db.authUser.count({ where: { idpUserId } })).toBe(0);
  });

  it('records nobody in an organization that was deleted meanwhile', async () => {
    const name = 'Short-lived';
    const idpOrgId = await identity.provider.createOrganization(name);
    const { id } = await identity.db.authOrganization.create({
      data: { idpOrgId, name, slug: 'short-lived', companyCode: 'SHORTLIVED', status: 'active' },
    });
    await identity.db.organization.create({ data: { id, name } });
    const email = 'brief@short.test';
    const names = { username: email, email, givenName: 'Mei', familyName: 'Lim' };
    await identity.provider.createUser({ ...names, organizationId: idpOrgId, password });
    const { accessToken: token } = await identity.loggedIn('admin@foyer.test', 'PLATFORM');

    const found = own.provider.hold('ListOrganizations');
    const login = identity.login(email, 'SHORTLIVED', {}, { instance: own.instance });
    await Promise.race([found.done, login]);
    expect((await identity.ask(DELETE_ORGANIZATION, { id }, { token })).message).toBeUndefined();
    found.release();

    expect((await login).error?.['reason']).toBe('INVALID_CREDENTIALS');
    expect(await identity.db.user.count({ where: { organizationId: id } })).toBe(0);
  });

  it('opens one when one was ended meanwhile', async () => {
    const { accessToken: token } = await identity.loggedIn(EMAIL, 'ACME');
    const { error } = await logInAnd(async () => {
      expect((await identity.ask(LOG_OUT, {}, { token })).error).toBeUndefined();
    });
    expect(error).toBeUndefined();
    expect(await sessions()).toBe(1);
  });
});
