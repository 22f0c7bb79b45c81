import { newId } from '@foyer/shared/ids';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { signupCodeHash } from '../self-signup/signup-code.ts';
import { startTestIdentity, type TestIdentity } from '../testing/test-identity.ts';
import { newLinkToken } from '../tokens/link-token.ts';

let identity: TestIdentity;

beforeAll(async () => {
  identity = await startTestIdentity();
});

afterAll(() => identity.stop());

const aMoment = 1_000;
const confirmation = `mutation ($input: ConfirmPasswordResetInput!) { confirmPasswordReset(input: $input) { endedSessions } }`;
const application = `mutation ($input: SelfSignupInput!) { selfSignup(input: $input) { status } }`;

/** Creates a password link with this remaining lifetime. */
async function confirmWith(msLeft: number) {
  const { token, hash: tokenHash } = newLinkToken();
  const { id: userId } = await identity.db.authUser.findFirstOrThrow({ where: { email: 'viewer@acme.test' } });
  const link = { tokenHash, expiresAt: new Date(Date.now() + msLeft), usedAt: null };
  await identity.db.passwordReset.upsert({ where: { userId }, create: { userId, ...link }, update: link });
  return identity.ask(confirmation, { input: { token, password: 'Another-Secret-2' } });
}

/** Applies with a code of this remaining lifetime. */
async function applyWith(msLeft: number) {
  const id = newId();
  const email = `${id}@applicant.test`;
  const expiresAt = new Date(Date.now() + msLeft);
  await identity.db.emailVerificationCode.create({
    data: { id, email, codeHash: signupCodeHash(id, '004711'), expiresAt },
  });
  const companyCode = `C${id.slice(0, 8)}`;
  const applicant = { email, code: '004711', givenName: 'Siti', familyName: 'Aminah' };
  return identity.ask(application, { input: { organizationName: 'Kiosk', companyCode, ...applicant } });
}

describe('what is sent by e-mail', () => {
  it('is good until its time is over: the link of a forgotten password', async () => {
    expect((await confirmWith(-aMoment)).error?.['reason']).toBe('PASSWORD_RESET_INVALID');
    expect((await confirmWith(30 * aMoment)).data).not.toBeNull();
  });

  it('is good until its time is over: the code of an applicant', async () => {
    expect((await applyWith(-aMoment)).error?.['reason']).toBe('SIGNUP_CODE_INVALID');
    expect((await applyWith(30 * aMoment)).data?.['selfSignup']).toEqual({ status: 'PENDING' });
  });
});

describe('somebody who can not log in', () => {
  it('can not choose a new password either, and the link stays', async () => {
    const viewer = { where: { email: 'viewer@acme.test' } };
    await identity.db.authUser.updateMany({ ...viewer, data: { accountState: 'disabled' } });
    expect((await confirmWith(30 * aMoment)).error?.['reason']).toBe('ACCOUNT_DISABLED');
    await identity.db.authUser.updateMany({ ...viewer, data: { accountState: 'active' } });
    expect(await identity.db.passwordReset.findFirst()).toMatchObject({ usedAt: null });
  });
});
