import { demo } from '@foyer/shared/demo';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import type { Identity } from '../app.ts';
import { obstruct, type ObstructedProvider } from '../testing/obstructed-provider.ts';
import { password, startTestIdentity, type TestIdentity } from '../testing/test-identity.ts';
import { newLinkToken } from '../tokens/link-token.ts';

let identity: TestIdentity;
let provider: ObstructedProvider;
let instance: Identity;

beforeAll(async () => {
  identity = await startTestIdentity();
  provider = await obstruct(identity.providerUrl);
  instance = await identity.open({ IDP_URL: provider.url });
  await instance.startUp();
});
afterAll(async () => {
  await instance.stop();
  await provider.stop();
  await identity.stop();
});
beforeEach(async () => {
  await identity.db.refreshSession.deleteMany();
  const { idpUserId } = await identity.db.authUser.findFirstOrThrow({ where: { email: EMAIL } });
  await identity.provider.setPassword(idpUserId, password);
});

const EMAIL = 'member@acme.test';
const CONFIRM = `mutation ($input: ConfirmPasswordResetInput!) { confirmPasswordReset(input: $input) { endedSessions } }`;
const LOG_OUT = 'mutation { logout { __typename } }';
const REVOKE_OTHERS = 'mutation { revokeOtherSessions { __typename } }';
const SET_STATUS = `mutation ($input: SetMemberStatusInput!) { setMemberStatus(input: $input) { __typename } }`;

const sessions = () => identity.db.refreshSession.count({ where: { user: { email: EMAIL } } });

/** Logs in, and does something while the provider has checked the password and not yet answered. */
async function logInAnd(meanwhile: () => Promise<void>) {
  const checked = provider.hold('CreateSession');
  const login = identity.login(EMAIL, 'ACME', {}, { instance });
  await Promise.race([checked.done, login]); // a login that ends is one that was refused before
  await meanwhile();
  checked.release();
  return login;
}

describe('a login whose password has been checked', () => {
  it('opens no session when all were ended meanwhile, as by a new password', async () => {
    const { id: userId } = await identity.db.authUser.findFirstOrThrow({ where: { email: EMAIL } });
    const { token, hash: tokenHash } = newLinkToken();
    await identity.db.passwordReset.create({
      data: { userId, tokenHash, expiresAt: new Date(Date.now() + 600_000), usedAt: null },
    });
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

  it('opens one when one was ended meanwhile', async () => {
    const { accessToken: token } = await identity.loggedIn(EMAIL, 'ACME');
    const { error } = await logInAnd(async () => {
      expect((await identity.ask(LOG_OUT, {}, { token })).error).toBeUndefined();
    });
    expect(error).toBeUndefined();
    expect(await sessions()).toBe(1);
  });
});
